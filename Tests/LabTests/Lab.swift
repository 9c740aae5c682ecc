import Foundation
import Testing

/// The small Linux with real I²C, GPIO and Bluetooth devices that `Lab/vm-run` boots.
enum Lab {
    private static let environment = ProcessInfo.processInfo.environment

    /// Whether the tests run in it, in real time.
    static let isInside = environment["DEVICE_LAB"] == "real"

    /// Whether they run in it, and its clock jumps to the next timer whenever everything sleeps.
    static let isInVirtualTime = environment["DEVICE_LAB"] == "virtual"

    /// Why they do not run; `scripts/lab` says so where it cannot boot it.
    static let outside = Comment(
        rawValue: environment["DEVICE_LAB_MISSING"] ?? "needs the lab's devices: run `make lab`")

    /// The checkout.
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The program to try: the optimised one when `scripts/lab` names it, else the one beside the tests.
    static let program =
        environment["DEVICE_LAB_PROGRAM"]
        ?? URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appendingPathComponent("trackerd").path

    /// Where the lab keeps the files by which its devices are driven.
    static let folder = "/run/lab"

    /// What a file of a device says, without the end of the line.
    static func read(_ path: String) throws -> String {
        try String(contentsOfFile: path, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Writes to a file of a device in one go, as such files want it.
    static func write(_ text: String, to path: String) throws {
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        defer { try? handle.close() }
        try handle.write(contentsOf: Data((text + "\n").utf8))
    }
}

/// What needs the lab's devices.
///
/// One thing at a time: the devices are there once.
@Suite("In the device lab", .serialized, .enabled(if: Lab.isInside, Lab.outside))
enum InTheLab {}

/// What lives through days in the lab's virtual time.
@Suite("In the device lab's virtual time", .serialized, .enabled(if: Lab.isInVirtualTime, Lab.outside))
enum InVirtualTime {}
