import Foundation
import Glibc
import Hardware
import Peers
import Quantities
import Testing

@testable import TrackerDaemon
@testable import Control

@Suite("The control socket")
struct ControlSocketTests {
    private let bench: ControlBench

    init() throws { bench = try ControlBench() }

    private func answer(_ text: String) -> String { #"{"ok":true,"result":"\#(text)"}"# }

    @Test("Each line gets one line as its reply, in order, also with several clients.")
    func lines() throws {
        let (first, second) = (try RawClient(bench.path), try RawClient(bench.path))
        first.send("a\nb\n")
        second.send("c\n")
        bench.turn()
        #expect(first.lines() == [answer("a"), answer("b")])
        #expect(second.lines() == [answer("c")])
        #expect(bench.asked == ["a", "c", "b"])
    }

    @Test("The socket waits for the rest of an incomplete line.")
    func halves() throws {
        let client = try RawClient(bench.path)
        client.send("stat")
        bench.turn()
        #expect(client.lines().isEmpty)
        client.send("us\n")
        bench.turn()
        #expect(client.lines() == [answer("status")])
    }

    @Test("A client that has shut down its writing side gets its replies; then the socket closes the connection.")
    func finished() throws {
        let client = try RawClient(bench.path)
        client.send("a\nb\n")
        client.finish()
        bench.turn()
        #expect(client.lines() == [answer("a"), answer("b")])
        #expect(client.isClosed)
        #expect(bench.socket.connections.isEmpty && bench.dropped.isEmpty)
    }

    @Test("Only the owner and one group can use the socket, and closing it removes its file.")
    func rights() throws {
        var status = stat()
        #expect(lstat(bench.path, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o660)
        bench.socket.close()
        #expect(lstat(bench.path, &status) != 0)
    }

    @Test("Without clients, the socket only waits for a client.")
    func atRest() {
        #expect(bench.socket.sources.count == 1)
        #expect(bench.socket.wait.deadline == nil)
    }

    @Test("A client that leaves a line unfinished is dropped.")
    func unfinished() throws {
        let client = try RawClient(bench.path)
        client.send("{")
        bench.turn()
        bench.now = bench.now + .seconds(9)
        bench.turn()
        #expect(!client.isClosed)
        bench.now = bench.now + .seconds(1)
        bench.turn()
        #expect(client.isClosed)
        #expect(bench.dropped == ["the client did not finish a line or read a reply in time"])
    }

    @Test("A client that does not read replies is dropped, and at most one buffer of its requests is read.")
    func unread() throws {
        let client = try RawClient(bench.path)
        let line = String(repeating: "x", count: 60_000) + "\n"
        // These requests and replies are larger than the system's buffers for both directions.
        for _ in 0..<40 {
            client.send(line)
            bench.turn()
        }
        #expect(bench.asked.count < 40)
        #expect(bench.socket.connections.count == 1)
        bench.now = bench.now + .seconds(10)
        bench.turn()
        #expect(bench.socket.connections.isEmpty)
        #expect(bench.dropped == ["the client did not finish a line or read a reply in time"])
    }

    @Test("A client that floods the socket is dropped with the reason.")
    func flood() throws {
        let client = try RawClient(bench.path)
        client.send(String(repeating: "a\n", count: 1000))
        bench.turn()
        let lines = client.lines()
        #expect(lines.count == 51)
        #expect(lines.last?.contains("more than 50 requests in one second") == true)
        #expect(client.isClosed)
    }

    @Test("A client may send fifty requests each second.")
    func quick() throws {
        let client = try RawClient(bench.path)
        for _ in 0..<3 {
            client.send(String(repeating: "a\n", count: 50))
            bench.turn()
            bench.now = bench.now + .seconds(1)
        }
        #expect(client.lines().count == 150)
        #expect(!client.isClosed)
    }

    @Test("A client that sends an endless line is dropped.")
    func endless() throws {
        let client = try RawClient(bench.path)
        for _ in 0..<6 {
            client.send(String(repeating: "x", count: 16_384))
            bench.turn()
        }
        #expect(client.lines().last?.contains("a line is longer than 64 KiB") == true)
        #expect(client.isClosed)
        #expect(bench.asked.isEmpty)
    }

    @Test("The ninth client is rejected, and a new client is accepted after another client has left.")
    func crowd() throws {
        var clients = try (0..<8).map { _ in try RawClient(bench.path) }
        bench.turn()
        let ninth = try RawClient(bench.path)
        bench.turn()
        #expect(ninth.lines().first?.contains("8 clients are already connected") == true)
        #expect(ninth.isClosed)
        clients.removeLast()
        bench.turn()
        let next = try RawClient(bench.path)
        next.send("a\n")
        bench.turn()
        #expect(next.lines() == [answer("a")])
    }

    @Test("A client that sends no request for five minutes is dropped.")
    func idle() throws {
        let client = try RawClient(bench.path)
        bench.turn()
        bench.now = bench.now + .seconds(300)
        bench.turn()
        #expect(client.isClosed)
    }

    @Test("A client that waits for a reply is not dropped, and the socket notices when the client leaves.")
    func waiting() throws {
        let client = try RawClient(bench.path)
        client.send("locate\n")
        bench.turn(answering: false)
        bench.now = bench.now + .seconds(3600)
        bench.turn()
        #expect(!client.isClosed)
        #expect(bench.socket.connections.first?.wait.deadline == nil)
        // Lines that the client sends in the meantime also wait.
        client.send(String(repeating: "x", count: 10_000))
        bench.turn()
        #expect(bench.socket.connections.count == 1)
        client.close()
        bench.turn()
        #expect(bench.socket.connections.isEmpty)
    }
}

@Suite("Opening the control socket")
struct ControlSocketOpeningTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func problem(_ path: String) -> String? {
        #expect(throws: ControlError.self) { try ControlSocket(path: path) }?.description
    }

    private let consequence =
        " Then restart trackerd. Until the restart, `trackerd status` and the other commands cannot reach the daemon."

    @Test("The socket file of a killed program is replaced.")
    func stale() throws {
        let path = scratch.path + "/control.sock"
        // The file remains, but no program listens.
        do { _ = try ControlSocket(path: path) }
        #expect(FileManager.default.fileExists(atPath: path))
        let socket = try ControlSocket(path: path)
        _ = try RawClient(path)
        withExtendedLifetime(socket) {}
    }

    @Test("A socket at which another program answers is not replaced.")
    func inUse() throws {
        let path = scratch.path + "/control.sock"
        let socket = try ControlSocket(path: path)
        let remedy = "End that program, or set another path in `control.socket`."
        #expect(problem(path) == "\(path): another program answers at the control socket. \(remedy)\(consequence)")
        withExtendedLifetime(socket) {}
    }

    @Test("A file that is not a socket is not replaced.")
    func noSocket() throws {
        try scratch.write("precious", to: "file")
        let path = scratch.path + "/file"
        let remedy = "Remove the file, or set another path in `control.socket`."
        #expect(problem(path) == "\(path): a file exists at the path of the control socket. \(remedy)\(consequence)")
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "precious")
    }

    @Test("A path that is too long for a socket is an error.")
    func tooLong() {
        let path = "/tmp/" + String(repeating: "x", count: 103)
        let remedy = "Set `control.socket` to a shorter path."
        #expect(
            problem(path) == "\(path): the path of the control socket is longer than 107 bytes. \(remedy)\(consequence)"
        )
    }

    @Test("An error of the system is reported with its cause.")
    func noFolder() {
        let path = scratch.path + "/none/control.sock"
        let remedy = "Create the folder and let trackerd write to it, or set another path in `control.socket`."
        #expect(
            problem(path)
                == "\(path): trackerd cannot create the control socket (No such file or directory). \(remedy)\(consequence)"
        )
    }
}
