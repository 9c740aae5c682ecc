import Peers
import Testing
import Configuration

@Suite("The sockets that commands use")
struct ControlSectionTests {
    @Test(
        "A command uses the read socket of the configuration, or the one beside the control socket.",
        arguments: [
            ("control: {readSocket: /run/a/r.sock}", "/run/trackerd/control.sock", "/run/a/r.sock"),
            ("control: {socket: /run/b/c.sock}", "/run/b/c.sock", "/run/b/read.sock"),
            ("control: {socket: /run/b/c.sock, readSocket: /run/a/r.sock}", "/run/b/c.sock", "/run/a/r.sock"),
            ("device: van1", "/run/trackerd/control.sock", "/run/trackerd/read.sock"),
        ])
    func sockets(text: String, command: String, reading: String) throws {
        let scratch = try Scratch()
        try scratch.write(text, to: "config.yaml")
        #expect(ControlSection.socket(in: scratch.path + "/config.yaml") == command)
        #expect(ControlSection.readSocket(in: scratch.path + "/config.yaml") == reading)
    }
}
