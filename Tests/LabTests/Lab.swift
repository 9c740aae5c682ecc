import Foundation
import Testing

/// The small Linux with I²C, GPIO and Bluetooth devices that `Lab/vm-run` boots.
enum Lab {
    private static let environment = ProcessInfo.processInfo.environment

    /// Whether the tests run in the lab, in real time.
    static let isInside = environment["DEVICE_LAB"] == "real"

    /// Whether the tests run in the lab with a clock that jumps to the next timer when all processes sleep.
    static let isInVirtualTime = environment["DEVICE_LAB"] == "virtual"

    /// The reason why the tests do not run; `scripts/lab` sets the reason if the lab cannot boot.
    static let outside = Comment(
        rawValue: environment["DEVICE_LAB_MISSING"] ?? "needs the lab's devices: run `make lab`")

    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The program under test: the optimised program if `scripts/lab` sets its path, otherwise the program beside the tests.
    static let program =
        environment["DEVICE_LAB_PROGRAM"]
        ?? URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appendingPathComponent("trackerd").path

    /// The folder of the files that control the lab's devices.
    static let folder = "/run/lab"

    /// Returns the contents of a device's file, without the line feed.
    static func read(_ path: String) throws -> String {
        try String(contentsOfFile: path, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Writes the text to a device's file in a single write, as such files require.
    static func write(_ text: String, to path: String) throws {
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        defer { try? handle.close() }
        try handle.write(contentsOf: Data((text + "\n").utf8))
    }
}

/// Tests that need the lab's devices.
///
/// The tests run one at a time, because the lab has only one of each device.
@Suite("In the device lab", .serialized, .enabled(if: Lab.isInside, Lab.outside))
enum InTheLab {}

/// Tests of whole days in the lab's virtual time.
@Suite("In the device lab's virtual time", .serialized, .enabled(if: Lab.isInVirtualTime, Lab.outside))
enum InVirtualTime {}
