import Foundation
import Peers
import Testing

@Suite("The doctor on this computer")
struct DoctorCommandTests {
    private let scratch: Scratch
    private let config: String

    init() throws {
        scratch = try Scratch()
        config = scratch.path + "/config.yaml"
        // No program listens on the port of `gpsd`, so a real gpsd on this machine does not affect the test.
        let rules = [
            "device: van1", "store: {path: \(scratch.path)/queue.sqlite}",
            "control: {socket: \(scratch.path)/control.sock}",
            "board: {gpsd: {host: 127.0.0.1, port: \(freePort())}}", "targets:",
            "  - {name: home, url: \"https://127.0.0.1:\(freePort())\"}",
        ]
        try scratch.write(rules.joined(separator: "\n"), to: "config.yaml")
    }

    @Test("The doctor reports faults, and its exit status is 1 if the vehicle cannot be tracked.")
    func text() throws {
        let (text, _, status) = try Daemon.output(["doctor", "--config", config])
        #expect(status == 1)
        #expect(text.contains("FAULT   receiver       gpsd at 127.0.0.1:"))
        #expect(text.contains("home: 127.0.0.1 is unreachable, or no server listens on this port."))
        #expect(text.contains("ok      database       \(scratch.path)/queue.sqlite is writable"))
        #expect(text.hasSuffix("The vehicle cannot be tracked.\n"))
        #expect(!FileManager.default.fileExists(atPath: scratch.path + "/queue.sqlite"))
    }

    @Test("The doctor reports faults in JSON.")
    func json() throws {
        let (text, _, status) = try Daemon.output(["doctor", "--config", config, "--json"])
        #expect(status == 1)
        let objects = try text.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        #expect(objects.last?["canTrack"] as? Bool == false)
        let receiver = try #require(objects.first { $0["check"] as? String == "receiver" })
        #expect(receiver["grade"] as? String == "fault")
        #expect((receiver["remedy"] as? String)?.contains("gpsd") == true)
    }

    @Test("`--gpsd` replaces the configured address of gpsd, also for the doctor that the daemon starts on request.")
    func gpsdAddress() throws {
        let port = freePort()
        let text = try Daemon.output(["doctor", "--config", config, "--gpsd", "127.0.0.1:\(port)"]).text
        #expect(text.contains("FAULT   receiver       gpsd at 127.0.0.1:\(port)"), "\(text)")
        let wrong = try Daemon.output(["doctor", "--config", config, "--gpsd", "127.0.0.1:gps"])
        #expect(wrong.status != 0 && wrong.errors.contains("is not a gpsd address"), "\(wrong)")

        let daemon = try Daemon(
            ["run", "--config", config, "--gpsd", "127.0.0.1:\(port)"],
            log: URL(fileURLWithPath: scratch.path + "/log"))
        #expect(eventually { isListening(at: scratch.path + "/control.sock") })
        let answer = try LineClient(scratch.path + "/control.sock").ask(["request": "doctor"])
        let findings = try #require(answer["findings"] as? [[String: Any]])
        let receiver = try #require(findings.first { $0["check"] as? String == "receiver" }?["text"] as? String)
        #expect(receiver.hasPrefix("gpsd at 127.0.0.1:\(port)"))
        #expect(daemon.end() == 0)
    }

    @Test("A test of a wire reports a configuration with errors, and does not use another board.")
    func wireOfUnreadableConfiguration() throws {
        try scratch.write("device: van1\nbaord: {name: bare}\n", to: "config.yaml")
        let (_, errors, status) = try Daemon.output(["doctor", "--watch", "ignition", "--config", config])
        #expect(status != 0)
        #expect(errors.contains("config.yaml:2") && errors.contains("`baord`"), "\(errors)")
    }

    @Test("If the configuration is missing, the doctor shows how to write it.")
    func configuration() throws {
        let (text, _, status) = try Daemon.output(["doctor", "--config", scratch.path + "/none.yaml"])
        #expect(status == 1)
        #expect(text.hasPrefix("FAULT   configuration  \(scratch.path)/none.yaml: trackerd cannot read the file."))
    }
}
