import Testing
import Upload

@Suite("The address of a tile server")
struct TileServerTests {
    @Test(
        "An address with the three placeholders is accepted, with TLS or on this computer.",
        arguments: [
            ("https://tiles.example.net/{z}/{x}/{y}.png", "tiles.example.net"),
            ("https://a.example.net:8443/wmts?z={z}&x={x}&y={y}&key=s3same", "a.example.net"),
            ("http://127.0.0.1:8080/{z}/{x}/{y}.png", "127.0.0.1"), ("http://localhost/{z}/{x}/{y}", "localhost"),
        ])
    func accepted(address: String, host: String) throws { #expect(try TileServer(address).host == host) }

    @Test(
        "Another address is refused with its fault and without its key.",
        arguments: [
            ("tiles", "is not the address of a tile server"),
            ("https://me:s3same@tiles.example.net/{z}/{x}/{y}.png", "is not the address of a tile server"),
            ("https://tiles.example.net/{z}/{x}.png?key=s3same", "lacks the placeholder {y}"),
            ("https://{s}.example.net/{z}/{x}/{y}.png", "has a placeholder other than {z}, {x} and {y}"),
            ("https://tiles.example.net/{z}/{x}/{y}{r}.png", "has a placeholder other than {z}, {x} and {y}"),
            ("http://tiles.example.net/{z}/{x}/{y}.png", "does not use https"),
            ("ftp://localhost/{z}/{x}/{y}.png", "does not use https"),
        ])
    func refused(address: String, fault: String) {
        let error = #expect(throws: TileServerError.self) { try TileServer(address) }
        let text = error?.description ?? ""
        #expect(text.contains(fault) && !text.contains("s3same"), "\(text)")
    }
}
