package import Foundation

/// A real gpsd, whose receiver plays a recorded log over TCP. gpsd connects to its receiver when the first client requests
/// reports, so no sentence is lost, however late the client is.
package final class RealGpsd {
    private static let programs = ["gpsd", "python3"]

    package static var missing: [String] { programs.filter { Child.find($0) == nil } }

    package let port = freePort()
    /// The receiver's name in gpsd's reports.
    package let device: String
    private let receiver: Child
    private let gpsd: Child

    /// Starts gpsd and a receiver that sends the sentences a millisecond apart.
    package init(playing log: URL) throws {
        guard let python = Child.find("python3") else { throw PeerMissing(name: "python3") }
        guard let program = Child.find("gpsd") else { throw PeerMissing(name: "gpsd") }
        let source = freePort()
        device = "tcp://127.0.0.1:\(source)"
        receiver = try Child(python, ["-c", Self.script, String(source), log.path])
        guard eventually({ isListening(source) }) else { throw PeerMissing(name: "the receiver") }
        gpsd = try Child(program, ["-N", "-b", "-S", String(port), device])
        let port = port
        guard eventually({ isListening(port) }) else { throw PeerMissing(name: "gpsd") }
    }

    /// Serves each connection in a thread, and keeps it open after the last sentence.
    private static let script = #"""
        import socket, sys, threading, time

        def play(gpsd):
            try:
                for sentence in open(sys.argv[2], "rb"):
                    gpsd.sendall(sentence)
                    time.sleep(0.001)
                while gpsd.recv(4096): pass
            except OSError: pass

        listener = socket.create_server(("127.0.0.1", int(sys.argv[1])))
        while True:
            threading.Thread(target=play, args=(listener.accept()[0],), daemon=True).start()
        """#
}
