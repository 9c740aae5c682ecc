import Foundation

/// A program at the end of a control socket that answers each request with the same line.
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
