import Foundation

/// A server in a few lines of Python, for behaviour that real servers do not show.
///
/// The script gets `port`, and `folder` for its notes. The script calls `ready()` when it listens.
package final class ScriptServer {
    package let port: UInt16
    private let scratch: Scratch
    private let child: Child

    package init(_ script: String, arguments: [String] = []) throws {
        guard let python = WebServer.python else { throw PeerMissing(name: "python3") }
        port = freePort()
        scratch = try Scratch()
        child = try Child(python, ["-c", Self.head + script, scratch.path, String(port)] + arguments)
        let ready = scratch.path + "/ready"
        guard eventually({ FileManager.default.fileExists(atPath: ready) }) else { throw PeerMissing(name: "a script") }
    }

    package var notes: [Substring] { scratch.lines(of: "notes") }

    private static let head = #"""
        import os, socket, ssl, struct, sys, threading, time
        folder, port, words = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
        def ready(): open(folder + "/ready", "w").close()
        def note(text):
            with open(folder + "/notes", "a") as notes: notes.write(str(text) + "\n")

        """#
}

/// A server on a control socket that answers each request with the same line.
package final class ScriptedDaemon {
    package static let python = Child.find("python3")

    package let socket: String
    private let scratch: Scratch
    private let child: Child

    package init(answering line: String) throws {
        guard let python = Self.python else { throw PeerMissing(name: "python3") }
        scratch = try Scratch()
        socket = scratch.path + "/control.sock"
        try scratch.write(line + "\n", to: "answer")
        child = try Child(python, ["-c", Self.script, scratch.path])
        guard eventually({ FileManager.default.fileExists(atPath: socket) }) else {
            throw PeerMissing(name: "the daemon")
        }
    }

    private static let script = #"""
        import os, socket, sys
        folder = sys.argv[1]
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(folder + "/new.sock")
        listener.listen()
        os.rename(folder + "/new.sock", folder + "/control.sock")
        while True:
            client = listener.accept()[0]
            client.makefile("rb").readline()
            client.sendall(open(folder + "/answer", "rb").read())
            client.close()
        """#
}
