package import Foundation
import Glibc

/// A real gpsd, fed with a recorded log by gpsfake.
package final class RealGpsd {
    /// The required programs, installed by `scripts/setup` or by Debian's packages gpsd and gpsd-clients.
    private static let programs = ["gpsfake", "gpsd"]

    /// The required programs that are missing.
    package static var missing: [String] { programs.filter { Child.find($0) == nil } }

    package let port: UInt16
    private let process = Process()

    /// Starts gpsfake, which plays the log as fast as gpsd reads it.
    package init(playing log: URL) throws {
        guard let gpsfake = Child.find("gpsfake") else { throw PeerMissing(name: "gpsfake") }
        port = freePort()
        process.executableURL = URL(fileURLWithPath: gpsfake)
        // A pty allows at most 115200 bit/s. At the default of 4800 bit/s, gpsfake makes real pauses.
        process.arguments = ["-1", "-S", "-q", "-s", "115200", "-c", "0.001", "-P", "\(port)", log.path]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    /// gpsfake ignores SIGTERM and leaves its gpsd behind, so this code kills the whole process group.
    deinit {
        kill(-process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
