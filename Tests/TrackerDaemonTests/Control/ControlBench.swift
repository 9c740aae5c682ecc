import CLinux
import Foundation
import Glibc
import Hardware
import Peers
import Quantities

@testable import TrackerDaemon
@testable import Control

/// A control socket without a tracker, and a clock that the test sets.
final class ControlBench {
    let scratch: Scratch
    let path: String
    let socket: ControlSocket
    var now = Instant(seconds: 1000)
    private(set) var asked: [String] = []

    init() throws {
        scratch = try Scratch()
        path = scratch.path + "/control.sock"
        socket = try ControlSocket(path: path)
    }

    /// Runs the loop until it is idle.
    ///
    /// If `answers` is true, the loop answers each request with the request's own text.
    func turn(answering answers: Bool = true) {
        for _ in 0..<200 {
            for source in socket.sources { _ = source.advance(at: now) }
            if let (client, line) = socket.nextRequest(at: now) {
                asked.append(String(decoding: line, as: UTF8.self))
                if answers { client.answer(.success(asked.last, id: nil), at: now) }
            }
            dropped += socket.forgetClosed()
        }
    }

    private(set) var dropped: [String] = []
}

final class RawClient {
    private let descriptor: Int32
    private var isOpen = true

    init(_ path: String) throws {
        descriptor = clinux_local_open(path, false)
        guard descriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    }

    deinit { close() }

    func close() {
        if isOpen { Glibc.close(descriptor) }
        isOpen = false
    }

    /// Sends as many bytes as the other end can buffer; returns the number of bytes sent.
    @discardableResult
    func send(_ text: String) -> Int {
        let bytes = Array(text.utf8)
        return bytes.withUnsafeBytes { clinux_local_send(descriptor, $0.baseAddress, $0.count) }
    }

    func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

    func lines() -> [String] {
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = read(descriptor, &bytes, bytes.count)
        guard count > 0 else { return [] }
        return String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// Whether the other end has closed the connection, and the client has read all bytes.
    var isClosed: Bool {
        var byte: UInt8 = 0
        let count = read(descriptor, &byte, 1)
        return count == 0 || count < 0 && errno != EAGAIN
    }
}
