import Foundation
import Testing

@Suite("The end of a device object")
struct DeinitTests {
    /// The calls that only free memory or close descriptors.
    private static let allowed = ["close()", "hangUp()", "cgpsd_destroy(", "cbluez_destroy(", "cgpiod_release("]

    /// `close(at:by:)` switches devices off, in a tested order.
    ///
    /// A deinit must not switch devices off again or later.
    @Test("A deinit in Devices frees memory and closes descriptors, and does nothing else.")
    func noInputOrOutput() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let base = root.appendingPathComponent("Sources/Devices")
        let names = FileManager.default.enumerator(atPath: base.path)?.compactMap { $0 as? String } ?? []
        var count = 0
        for name in names.sorted() where name.hasSuffix(".swift") {
            let text = try String(contentsOf: base.appendingPathComponent(name), encoding: .utf8)
            for line in text.split(separator: "\n") where line.contains("deinit {") {
                count += 1
                #expect(Self.allowed.contains { line.contains($0) } && line.hasSuffix("}"), "\(name): \(line)")
            }
        }
        #expect(count > 3)
    }
}
