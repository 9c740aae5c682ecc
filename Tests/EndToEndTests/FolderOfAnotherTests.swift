import Foundation
import Glibc
import Peers
import Testing

@Suite("A daemon that is started by root")
struct FolderOfAnotherTests {
    @Test(
        "A daemon that runs as root refuses to write into a folder of another user, and names the remedy.",
        .enabled(if: geteuid() == 0, "not run as root"), arguments: ["store", "control"], [true, false])
    func refuses(part: String, isOwned: Bool) throws {
        let scratch = try Scratch()
        let foreign = scratch.path + "/theirs"
        try FileManager.default.createDirectory(atPath: foreign, withIntermediateDirectories: true)
        // A folder of another user, or a folder of root with write access for all.
        #expect(isOwned ? chown(foreign, 65_534, 65_534) == 0 : chmod(foreign, 0o777) == 0)
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
        let owner = isOwned ? "the user nobody" : "other users"
        #expect(
            errors.contains(
                "\(foreign): \(owner) can change this file or folder, and could make root write to any file."))
        #expect(try FileManager.default.contentsOfDirectory(atPath: foreign).isEmpty)
    }

    @Test(
        "A daemon that runs as root refuses a database that another user has replaced by a link.",
        .enabled(if: geteuid() == 0, "not run as root"))
    func link() throws {
        let scratch = try Scratch()
        try FileManager.default.createSymbolicLink(
            atPath: scratch.path + "/t.sqlite", withDestinationPath: scratch.path + "/elsewhere")
        #expect(lchown(scratch.path + "/t.sqlite", 65_534, 65_534) == 0)
        try scratch.write("device: van1\nstore: {path: \"\(scratch.path)/t.sqlite\"}\n", to: "config.yaml")
        let (_, errors, status) = try Daemon.output(["run", "--config", scratch.path + "/config.yaml"])
        #expect(status != 0 && errors.contains("t.sqlite: the user nobody can change this file"))
        #expect(!FileManager.default.fileExists(atPath: scratch.path + "/elsewhere"))
    }
}
