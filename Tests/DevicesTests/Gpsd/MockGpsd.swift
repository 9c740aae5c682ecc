import Foundation
import Glibc

/// A TCP server on the loopback with gpsd's protocol and a script.
///
/// The server has no thread; the test calls `pump`.
final class MockGpsd {
    let script: GpsdScript
    let port: UInt16
    /// Everything that clients have written.
    private(set) var heard = ""
    private(set) var connections = 0

    private var listener: Int32
    private var client: Int32 = -1
    private var unsent: [UInt8] = []
    private var isClosing = false

    /// Listens on a port chosen by the system, or on the port of a mock that has ended.
    init(_ script: GpsdScript = GpsdScript(), port: UInt16 = 0) throws {
        self.script = script
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var one: Int32 = 1
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
        self.port = try listen(on: listener, port: port)
    }

    deinit { end() }

    /// Whether a client has requested reports, and has not stopped them since.
    var isWatched: Bool {
        guard let enabled = heard.lastOffset(of: #""enable":true"#) else { return false }
        guard let disabled = heard.lastOffset(of: #""enable":false"#) else { return client >= 0 }
        return client >= 0 && enabled > disabled
    }

    var watchCount: Int { heard.components(separatedBy: #""enable":true"#).count - 1 }

    /// Whether the client has yet to receive lines, or the end of the connection.
    var isSpeaking: Bool { client >= 0 && (isClosing || !unsent.isEmpty) }

    /// Closes the connection and the listening socket, as if gpsd was stopped or killed.
    func end() {
        drop()
        hangUp(listener)
        listener = -1
    }

    /// Closes the connection, and continues to listen.
    func drop() {
        hangUp(client)
        client = -1
        unsent = []
        isClosing = false
    }

    /// Sends a line or bytes, or closes the connection, at the next call of `pump` if a client is connected.
    func say(_ step: GpsdScript.Step) {
        switch step {
        case .line(let text): unsent += Array((text + "\r\n").utf8)
        case .bytes(let bytes): unsent += bytes
        case .close: isClosing = true
        }
    }

    /// Accepts, reads and writes as far as possible without blocking.
    func pump() {
        let arrived = listener >= 0 ? accept(listener, nil, nil) : -1
        if arrived >= 0 {
            drop()
            client = arrived
            _ = fcntl(client, F_SETFD, FD_CLOEXEC)
            var one: Int32 = 1
            setsockopt(client, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
            connections += 1
            script.greeting.forEach(say)
        }
        listenToClient()
        speak()
    }

    private func listenToClient() {
        var buffer = [UInt8](repeating: 0, count: 1024)
        guard client >= 0 else { return }
        let count = recv(client, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        if count == 0 { drop() }
        guard count > 0 else { return }
        let words = String(decoding: buffer.prefix(count), as: UTF8.self)
        heard += words
        if words.contains("?DEVICES;") { script.answerToDevices.forEach(say) }
        if words.contains(#""enable":true"#) { script.answerToWatch.forEach(say) }
    }

    private func speak() {
        guard client >= 0 else { return }
        let count = min(unsent.count, script.bytesAPump)
        let sent = count == 0 ? 0 : send(client, unsent, count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
        unsent.removeFirst(max(0, sent))
        if isClosing, unsent.isEmpty { drop() }
    }
}

struct NoSocket: Error {
    let cause = errno
}

private func listen(on socket: Int32, port: UInt16) throws -> UInt16 {
    var address = loopback(port)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
            bind(socket, generic, size) == 0 && Glibc.listen(socket, 8) == 0 && getsockname(socket, generic, &size) == 0
        }
    }
    guard result else { throw NoSocket() }
    return UInt16(bigEndian: address.sin_port)
}

/// Returns the address 127.0.0.1 with a port; for port 0, the system chooses the port.
private func loopback(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    return address
}

extension String {
    fileprivate func lastOffset(of words: String) -> Int? {
        let text = Array(utf8)
        let pattern = Array(words.utf8)
        return stride(from: text.count - pattern.count, through: 0, by: -1).first { start in
            text[start..<start + pattern.count].elementsEqual(pattern)
        }
    }
}

/// Ends a socket at once, even while a child process of another test still has a copy of the descriptor.
///
/// A child has copies of all descriptors until it has started its program.
private func hangUp(_ socket: Int32) {
    guard socket >= 0 else { return }
    shutdown(socket, Int32(SHUT_RDWR))
    close(socket)
}

func isReadable(_ descriptor: Int32) -> Bool {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&polled, 1, 0) > 0
}
