import Foundation
import Peers
import Testing

@Suite("A second daemon on the same queue")
struct TwoWritersTests {
    @Test(
        "A second daemon on the same database does not start, even if the database is a link or the lock file is gone.",
        arguments: [true, false])
    func refused(isLinked: Bool) throws {
        let scratch = try Scratch()
        let files = FileManager.default
        let database = scratch.path + "/t.sqlite"
        let first = try start(on: database, in: scratch, name: "first")
        #expect(eventually { first.logged.contains("Started; ") })
        var path = database
        if isLinked {
            path = scratch.path + "/link.sqlite"
            try files.createSymbolicLink(atPath: path, withDestinationPath: database)
        } else {
            try files.removeItem(atPath: database + ".lock")
        }
        let second = try start(on: path, in: scratch, name: "second")
        #expect(second.wait() != 0)
        #expect(second.logged.contains("\(path): another trackerd writes to this queue."))
        #expect(first.isRunning)
        #expect(first.end() == 0)
        #expect(!first.logged.contains("queue"))
    }

    private func start(on database: String, in scratch: Scratch, name: String) throws -> Daemon {
        try scratch.write(
            """
            device: van1
            store: {path: "\(database)"}
            control: {socket: "\(scratch.path)/\(name).sock"}
            """, to: "\(name).yaml")
        return try Daemon(
            ["run", "--gpsd", "127.0.0.1:\(freePort())", "--config", scratch.path + "/\(name).yaml"],
            log: URL(fileURLWithPath: scratch.path + "/\(name).log"))
    }
}
