package import Foundation
import Glibc

/// A real gpsd, fed with a recorded log by gpsfake.
package final class RealGpsd {
    /// What has to be installed, by `scripts/setup` or as Debian's packages gpsd and gpsd-clients.
    private static let programs = ["gpsfake", "gpsd"]

    /// What is missing of that.
    package static var missing: [String] { programs.filter { Child.find($0) == nil } }

    package let port: UInt16
    private let process = Process()

    /// Starts to play the log, as fast as gpsd takes it.
    package init(playing log: URL) throws {
        guard let gpsfake = Child.find("gpsfake") else { throw PeerMissing(name: "gpsfake") }
        port = freePort()
        process.executableURL = URL(fileURLWithPath: gpsfake)
        // Faster than 115200 bit/s is not to be had of a pty; at the default of 4800 gpsfake would make real pauses.
        process.arguments = ["-1", "-S", "-q", "-s", "115200", "-c", "0.001", "-P", "\(port)", log.path]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    /// gpsfake ignores the polite signals, and leaves its gpsd behind: the whole group goes, which Foundation made for it.
    deinit {
        kill(-process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
