import Foundation
import Glibc

/// A client of a control socket.
package final class LineClient {
    package struct Refusal: Error {
        package let reply: String
    }

    private let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)

    package init(_ path: String) throws {
        guard connectLocally(descriptor, to: path) else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    }

    deinit { close(descriptor) }

    /// Sends a request without its nil values; returns the result in the reply.
    package func ask(_ request: [String: Any?]) throws -> [String: Any] {
        var line = try JSONSerialization.data(withJSONObject: request.compactMapValues(\.self))
        line.append(UInt8(ascii: "\n"))
        _ = line.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        var reply = Data()
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while reply.last != UInt8(ascii: "\n") {
            let count = recv(descriptor, &chunk, chunk.count, 0)
            guard count > 0 else { throw POSIXError(.ECONNRESET) }
            reply += chunk[..<count]
        }
        let object = try JSONSerialization.jsonObject(with: reply) as? [String: Any]
        guard let result = object?["result"] as? [String: Any] else {
            throw Refusal(reply: String(decoding: reply, as: UTF8.self))
        }
        return result
    }
}
