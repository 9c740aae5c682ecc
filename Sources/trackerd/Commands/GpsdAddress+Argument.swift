import ArgumentParser
import Hardware

extension GpsdAddress {
    /// Reads an address as it is written on the command line: `HOST:PORT`, `[IPv6]:PORT` or `HOST`.
    init(argument text: String) throws {
        let colon = text.hasSuffix("]") ? nil : text.lastIndex(of: ":")
        let name = String(text[..<(colon ?? text.endIndex)])
        let port = colon.map { UInt16(text[text.index(after: $0)...]) ?? 0 } ?? 2947
        guard !name.isEmpty, port > 0 else {
            throw ValidationError("`\(text)` is not the address of a gpsd. Write HOST:PORT, such as localhost:2947.")
        }
        let isBracketed = name.hasPrefix("[") && name.hasSuffix("]")
        self.init(host: isBracketed ? String(name.dropFirst().dropLast()) : name, port: port)
    }
}
