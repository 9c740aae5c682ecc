import Foundation
import Hardware
import Peers
import Quantities
import Testing
import TrackingOptions
import Tracking

@testable import Configuration

@Suite("The limits of a configuration's contents")
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
        "A circle without one of its numbers is refused, and the message names the missing number.",
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

    @Test("A document of a server's options that is larger than 256 KiB is refused, and the message names the limit.")
    func largeDocument() {
        let text = String(repeating: " ", count: 256 * 1024 + 1)
        let error = #expect(throws: ConfigurationError.self) { try RemoteOptionsFile.parse(text, file: "remote") }
        #expect(error?.problems.map(\.file) == ["remote"])
        #expect(error?.description.contains("256 KiB") == true)
        #expect(throws: Never.self) { try RemoteOptionsFile.parse(String(text.dropLast()), file: "remote") }
    }

    @Test("The error names a file of a server's options that cannot be read.")
    func unreadableFile() {
        let error = #expect(throws: ConfigurationError.self) { try RemoteOptionsFile.read("/absent/options.json") }
        #expect(error?.problems.map(\.file) == ["/absent/options.json"])
    }

    @Test("A path that is not a readable text file is refused at once, with the true reason.")
    func notAFile() throws {
        let scratch = try Scratch()
        let path = { scratch.path + "/" + $0 }
        #expect(mkfifo(path("pipe"), 0o600) == 0)
        #expect(symlink(path("loop"), path("loop")) == 0)
        try FileManager.default.createDirectory(atPath: path("folder"), withIntermediateDirectories: true)
        try Data("device: v\n# caf\u{e9}\n".unicodeScalars.map { UInt8($0.value) })
            .write(to: URL(fileURLWithPath: path("latin")))
        try Data(repeating: 10, count: TextFile.largest + 1).write(to: URL(fileURLWithPath: path("large")))
        let cases = [
            ("/dev/null", "/dev/null: trackerd cannot read the file (it is a device or a pipe, and not a file)."),
            (path("pipe"), "(it is a device or a pipe, and not a file)."),
            (path("loop"), "(Too many levels of symbolic links)."), (path("folder"), "(it is a folder)."),
            (path("absent"), "/absent: trackerd cannot read the file. Run `sudo trackerd setup`"),
            (path("latin"), "/latin:2: this line is not UTF-8 text. Save the file in the encoding UTF-8."),
            (path("large"), "/large: the file is larger than 4 MiB. Shorten it."),
        ]
        for (file, reason) in cases {
            let error = #expect(throws: ConfigurationError.self) { try Configuration.read(file, environment: [:]) }
            #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
        }
    }

    @Test(
        "A folder in place of a file, and an unusable socket path, are refused with their lines.",
        arguments: [
            ("store: {path: /tmp}", "`store.path` is a folder. Add the name of a file."),
            ("store: {path: /absent/}", "`store.path` is a folder. Add the name of a file."),
            ("control: {socket: /tmp}", "`control.socket` is a folder. Add the name of a file."),
            (
                "control: {socket: /\(String(repeating: "s", count: 107))}",
                "`control.socket` has 108 bytes, and the system allows at most 107. Write a shorter path."
            ),
        ])
    func paths(line: String, problem: String) {
        let error = #expect(throws: ConfigurationError.self) {
            try Configuration.parse("device: v\n\(line)\n", file: "c", environment: [:])
        }
        #expect(error?.description == "c:2: \(problem)")
    }

    @Test("A period of tracking that ends before it begins is refused with the line of its end.")
    func period() throws {
        let text =
            "device: v\ntracking:\n  startTrackingAfter: 2026-05-02T00:00:00Z\n  stopTrackingAfter: 2026-05-01T00:00:00Z\n"
        let error = #expect(throws: ConfigurationError.self) {
            try Configuration.parse(text, file: "c", environment: [:])
        }
        #expect(error?.problems.map(\.line) == [4])
        #expect(error?.description.contains("trackerd would never track") == true)
        let right = text.replacingOccurrences(of: "2026-05-01", with: "2026-05-03")
        #expect(throws: Never.self) { try Configuration.parse(right, file: "c", environment: [:]) }
    }
}
