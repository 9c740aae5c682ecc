import Foundation
import Peers
import Testing

@Suite("The resident memory of the service")
struct ResidentMemoryTests {
    @Test("A minute after the start, the daemon gives back the pages that only the start needed.")
    func start() throws {
        let scratch = try Scratch()
        try scratch.write(
            """
            device: van1
            store: {path: "\(scratch.path)/t.sqlite"}
            control: {socket: "\(scratch.path)/control.sock"}
            """, to: "config.yaml")
        let config = ["--config", scratch.path + "/config.yaml"]
        let drive = Daemon.root.path + "/Tests/Traces/2023-08-09_12-47-42.csv.gz"
        let daemon = try Daemon(
            ["run", "--board", "sim", "--drive", drive, "--speed", "10"] + config,
            log: URL(fileURLWithPath: scratch.path + "/log"))
        var peak_MiB = 0.0
        let isReleased = eventually {
            peak_MiB = max(peak_MiB, daemon.filePages_MiB)
            return daemon.filePages_MiB < 0.8 * peak_MiB
        }
        #expect(isReleased, "At most \(peak_MiB) MiB of files were mapped, and now \(daemon.filePages_MiB).")
        #expect(daemon.isRunning)
        #expect(try Daemon.output(["status"] + config).status == 0)
        #expect(daemon.end() == 0)
    }
}
