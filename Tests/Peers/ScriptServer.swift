import Foundation

/// A server of a few lines of Python on a port of its own: one that does what no real server does.
///
/// The script finds its port in `port`, a folder for notes in `folder`, and calls `ready()` when it listens.
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

    /// What the script has noted, line by line.
    package var notes: [Substring] { scratch.lines(of: "notes") }

    private static let head = #"""
        import os, socket, ssl, struct, sys, threading, time
        folder, port, words = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
        def ready(): open(folder + "/ready", "w").close()
        def note(text):
            with open(folder + "/notes", "a") as notes: notes.write(str(text) + "\n")

        """#
}
