package import Foundation
import Glibc

/// A real gpsd, fed with a recorded log by gpsfake.
package final class RealGpsd {
    /// What has to be installed; Debian's packages gpsd and gpsd-clients have it.
    static let needed = ["/usr/bin/gpsfake", "/usr/sbin/gpsd"]

    /// What is missing of that.
    package static var missing: [String] { needed.filter { access($0, X_OK) != 0 } }

    package let port: UInt16
    private let process = Process()

    /// Starts to play the log, as fast as gpsd takes it.
    package init(playing log: URL) throws {
        port = freePort()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/gpsfake")
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
