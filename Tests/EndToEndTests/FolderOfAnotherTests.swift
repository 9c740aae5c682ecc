import Foundation
import Glibc
import Peers
import Testing

@Suite("A daemon that is started by root")
struct FolderOfAnotherTests {
    @Test(
        "refuses to write into a folder of another user, and names the remedy",
        .enabled(if: geteuid() == 0, "not run as root"), arguments: ["store", "control"])
    func refuses(part: String) throws {
        let scratch = try Scratch()
        let foreign = scratch.path + "/theirs"
        try FileManager.default.createDirectory(atPath: foreign, withIntermediateDirectories: true)
        #expect(chown(foreign, 65_534, 65_534) == 0)
        let store = part == "store" ? foreign : scratch.path
        let control = part == "control" ? foreign : scratch.path
        try scratch.write(
            """
            device: van1
            store: {path: "\(store)/t.sqlite"}
            control: {socket: "\(control)/control.sock"}
            """, to: "config.yaml")
        let (_, errors, status) = try Daemon.output(["run", "--config", scratch.path + "/config.yaml"])
        #expect(status != 0)
        #expect(
            errors.contains("\(foreign): belongs to user nobody, who could make root write to any file through it."))
        #expect(try FileManager.default.contentsOfDirectory(atPath: foreign).isEmpty)
    }
}
