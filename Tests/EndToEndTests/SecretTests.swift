import Foundation
import Peers
import Testing

@Suite("A secret in a file", .enabled(if: WebServer.python != nil, "python3 is missing: apt install python3"))
struct SecretTests {
    @Test("A rejected password pauses the target until the password file changes, and no output reveals the password.")
    func changed() throws {
        let server = try WebServer()
        try server.start(denying: true)
        let secrets = try Scratch()
        try secrets.write("hunter2\n", to: "password")
        let vehicle = try Vehicle(targets: [
            "{name: home, url: \"\(server.url)\", username: me, passwordFile: \"\(secrets.path)/password\"}"
        ])
        let daemon = try vehicle.start(["--log-level", "trace"])
        #expect(eventually { daemon.logged.contains("home: the server rejects the credentials") })
        let rejected = server.requests.count
        try secrets.write("secret\n", to: "password")
        #expect(eventually { daemon.logged.contains("home: uploads recovered") })
        let accepted = server.requests.dropFirst(rejected)
        #expect(accepted.allSatisfy { $0.headers["Authorization"] == "Basic bWU6c2VjcmV0" })
        let shown = try Daemon.output(["config", "show", "--config", vehicle.config])
        let doctor = try Daemon.output(["doctor", "--config", vehicle.config])
        #expect(doctor.text.contains("home: 127.0.0.1 answered a GET with status 200"))
        for text in [daemon.logged, shown.text, shown.errors, doctor.text] { #expect(!text.contains("hunter2")) }
        #expect(daemon.endInTime() == 0)
    }

    @Test("The doctor and the configuration check with `--connect` report a password that the server rejects.")
    func doctor() throws {
        let server = try WebServer()
        try server.start(denying: true)
        let vehicle = try Vehicle(targets: ["{name: home, url: \"\(server.url)\", username: me, password: hunter2}"])
        let expected = "home: 127.0.0.1 rejects the credentials (status 401)."
        #expect(try Daemon.output(["doctor", "--config", vehicle.config]).text.contains(expected))
        let plain = try Daemon.output(["config", "check", vehicle.config])
        #expect(plain.status == 0 && !plain.text.contains(expected))
        let checked = try Daemon.output(["config", "check", "--connect", vehicle.config])
        #expect(checked.text.contains(expected) && checked.status == 1)
        #expect(!(plain.text + checked.text + checked.errors).contains("hunter2"))
    }
}
