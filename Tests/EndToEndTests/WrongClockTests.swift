import Foundation
import Peers
import Testing

@Suite("A system clock that is set wrong")
struct WrongClockTests {
    /// The library from Debian's package libfaketime, which shows a program another date.
    private static let library = ["x86_64", "aarch64"].map { "/usr/lib/\($0)-linux-gnu/faketime/libfaketime.so.1" }
        .first { FileManager.default.isReadableFile(atPath: $0) }

    @Test(
        "A wrong system clock does not keep the tracker from starting, replying and ending.",
        .enabled(if: library != nil, "not installed: libfaketime"),
        arguments: ["@1971-01-01 00:00:00", "@2300-01-01 00:00:00"])
    func farDate(date: String) throws {
        let scratch = try Scratch()
        try scratch.write(
            """
            device: van1
            store: {path: "\(scratch.path)/t.sqlite"}
            control: {socket: "\(scratch.path)/control.sock"}
            """, to: "config.yaml")
        let daemon = try Daemon(
            ["run", "--gpsd", "127.0.0.1:\(freePort())", "--config", scratch.path + "/config.yaml"],
            log: URL(fileURLWithPath: scratch.path + "/log"),
            environment: [
                "LD_PRELOAD": Self.library ?? "", "FAKETIME": date, "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            ])
        #expect(eventually { daemon.logged.contains("Started; ") || !daemon.isRunning })
        #expect(daemon.logged.contains("Started; "))
        let status = try Daemon.output(["status", "--json", "--config", scratch.path + "/config.yaml"])
        #expect(status.status == 0)
        #expect(daemon.end() == 0)
    }
}
