import Foundation
import Peers
import Testing

@Suite("Calls on sockets that fail")
struct TortureCallsTests {
    private static let missing = ["cc", "python3", "nginx", "mosquitto", "mosquitto_sub"].filter {
        Child.find($0) == nil
    }

    /// The script makes four calls fail: one each on a connection to a server, on the connection to gpsd, on a control socket,
    /// and on netlink.
    @Test(
        "Every record arrives, and the tracker continues, although a call to a server, gpsd, a client or the kernel fails.",
        .enabled(if: missing.isEmpty, "not installed: \(missing)"))
    func sampled() throws {
        let output = Pipe()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Daemon.root.path + "/scripts/torture")
        process.arguments = ["calls"]
        process.environment = ProcessInfo.processInfo.environment.merging([
            "TRACKERD": Daemon.program, "RUNS": "4", "SPEED": "60",
        ]) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(text)")
        #expect(text.contains("failed one by one 4"), "\(text)")
    }
}
