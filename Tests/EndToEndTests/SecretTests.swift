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

    @Test(
        "A target whose password file is missing waits until the file appears; recording and the other targets continue.",
        arguments: ["passwordFile: \"FOLDER/later\"", "password: {environment: VAN_MISSING}"])
    func missing(line: String) throws {
        let (home, other) = (try WebServer(), try WebServer())
        try home.start(denying: true)
        try other.start()
        let secrets = try Scratch()
        let written = line.replacing("FOLDER", with: secrets.path)
        let vehicle = try Vehicle(targets: [
            "{name: home, url: \"\(home.url)\", username: me, \(written)}",
            "{name: other, url: \"\(other.url)\"}",
        ])
        let daemon = try vehicle.start()
        #expect(eventually { daemon.logged.contains("home: uploads wait (`targets[1].password") })
        #expect(eventually { other.bodies.count > 2 }, "\(daemon.logged)")
        #expect(home.requests.isEmpty)
        let status = try vehicle.run("status").text
        #expect(status.contains("uploads wait: `targets[1].password"), "\(status)")
        let queue = try vehicle.run("queue").text
        #expect(queue.contains("(uploads wait: `targets[1].password"), "\(queue)")
        #expect(try vehicle.run("config", "reload").status == 1)
        let check = try vehicle.run("config", "check")
        #expect(check.status == 1 && check.errors.contains(":6: `targets[1].password"), "\(check.errors)")
        if line.contains("later") {
            try secrets.write("secret\n", to: "later")
            #expect(eventually { daemon.logged.contains("home: uploads continue.") })
            #expect(eventually { home.requests.contains { $0.headers["Authorization"] == "Basic bWU6c2VjcmV0" } })
        }
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
