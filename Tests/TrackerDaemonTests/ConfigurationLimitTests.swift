import TrackingOptions
import Hardware
import Quantities
import Testing
import Tracking

@testable import TrackerDaemon

@Suite("The limits of what a configuration may contain")
struct ConfigurationLimitTests {
    @Test(
        "`wakeAfter` may be a minute to thirty days.",
        arguments: [(59, false), (60, true), (30 * 86_400, true), (30 * 86_400 + 1, false)])
    func wakeAfter(seconds: Int, isTaken: Bool) {
        let text = "wakeUp: clock\nhaltAfter: 2h\nwakeAfter: \(seconds)"
        let board = try? BoardReaderTests.read(text)
        #expect(board?.power.wakeAfter == (isTaken ? .seconds(seconds) : nil))
    }

    @Test(
        "A circle that lacks one of its numbers is refused, and the message names it.",
        arguments: [
            ("{name: A, longitude: 13, radius: 100}", "latitude"),
            ("{name: A, latitude: 52, radius: 100}", "longitude"),
        ])
    func circle(entry: String, missing: String) {
        let error = #expect(throws: ConfigurationError.self) {
            try Configuration.parse("device: v\nregions:\n  - \(entry)\n", file: "c", environment: [:])
        }
        #expect(error?.problems.map(\.line) == [3])
        #expect(error?.description.contains("`regions[1].\(missing)`") == true, "\(error?.description ?? "")")
    }

    @Test("A document of a server's options that is larger than 256 KiB is refused with its limit.")
    func largeDocument() {
        let text = String(repeating: " ", count: 256 * 1024 + 1)
        let error = #expect(throws: ConfigurationError.self) { try RemoteOptionsFile.parse(text, file: "remote") }
        #expect(error?.problems.map(\.file) == ["remote"])
        #expect(error?.description.contains("256 KiB") == true)
        #expect(throws: Never.self) { try RemoteOptionsFile.parse(String(text.dropLast()), file: "remote") }
    }

    @Test("A file of a server's options that cannot be read is named.")
    func unreadableFile() {
        let error = #expect(throws: ConfigurationError.self) { try RemoteOptionsFile.read("/absent/options.json") }
        #expect(error?.problems.map(\.file) == ["/absent/options.json"])
    }
}
