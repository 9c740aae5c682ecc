internal import Formats
package import Quantities

/// With `{z}`, `{x}` and `{y}`.
package struct TileServer: Sendable, Hashable {
    private static let placeholders = ["{z}", "{x}", "{y}"]

    private let address: ServerAddress

    /// - Throws: An error if a placeholder is missing or unknown, or if other computers on the way could read the requests.
    package init(_ template: String) throws(TileServerError) {
        guard let address = try? ServerAddress(template) else { throw .malformed }
        var rest = address.path
        for placeholder in Self.placeholders {
            guard rest.contains(placeholder) else { throw .withoutPlaceholder(placeholder) }
            rest = rest.replacing(placeholder, with: "")
        }
        guard !rest.contains("{"), !rest.contains("}"), !address.host.contains("{") else { throw .unknownPlaceholder }
        guard address.scheme == "https" || (address.scheme == "http" && address.isLoopback) else { throw .insecure }
        self.address = address
    }

    package var host: String { address.host }

    /// May contain the server's key.
    func url(zoom: Int, x: Int, y: Int) -> String {
        let path = address.path.replacing("{z}", with: "\(zoom)").replacing("{x}", with: "\(x)")
            .replacing("{y}", with: "\(y)")
        return address.url(path)
    }
}

package enum TileServerError: Error, Sendable, Hashable, CustomStringConvertible {
    case malformed
    case withoutPlaceholder(String)
    case unknownPlaceholder
    case insecure

    package var description: String {
        let fault =
            switch self {
            case .malformed: "is not the address of a tile server"
            case .withoutPlaceholder(let placeholder): "lacks the placeholder \(placeholder)"
            case .unknownPlaceholder: "has a placeholder other than {z}, {x} and {y}"
            case .insecure: "does not use https, so others could read where the vehicle was"
            }
        return "the address \(fault). Write an address such as https://tiles.example.net/{z}/{x}/{y}.png."
    }
}

/// One after the other, over one connection.
package final class TileDownload {
    private static let patience = Duration.seconds(15)
    private static let totalPatience = Duration.seconds(120)

    private let server: TileServer
    private let program: String
    private let now: () -> Instant
    private let began: Instant
    private let longest_bytes: Int
    private let client: HTTPClient

    /// - `program`: the name and the version of the program, which the server's operator may require.
    /// - `longest_bytes`: the maximum size of a tile.
    /// - `now`: returns the time since boot.
    package init(_ server: TileServer, program: String, longest_bytes: Int, now: @escaping () -> Instant) {
        (self.server, self.program, self.longest_bytes, self.now) = (server, program, longest_bytes, now)
        began = now()
        client = HTTPClient(longestAnswer: longest_bytes)
    }

    /// Returns the bytes of a tile; nil if the server has no such tile.
    ///
    /// - Throws: The fault of the server or the network; do not request further tiles then.
    package func tile(zoom: Int, x: Int, y: Int) throws(TileDownloadError) -> [UInt8]? {
        let host = server.host
        let left = Self.totalPatience - (now() - began)
        guard left > .zero else { throw TileDownloadError("\(host) does not send all tiles within 2 minutes") }
        let request = HTTPClient.Request(
            url: server.url(zoom: zoom, x: x, y: y), access: TargetAccess(), proxy: nil,
            headers: [WirePayload.Header("User-Agent", program)],
            timeouts: TransportTimeouts(connect: Self.patience, answer: .zero))
        switch answer(to: request, within: min(Self.patience, left)) {
        case .success(let reply) where reply.status == 200: return reply.body
        case .success(let reply) where [204, 404, 410].contains(reply.status): return nil
        case .success(let reply): throw TileDownloadError("\(host) answers with status \(reply.status)")
        case .failure(.answerTooLong):
            throw TileDownloadError("\(host) sends a tile of more than \(longest_bytes >> 10) KiB")
        case .failure(let failure): throw TileDownloadError(failure.reason(host, nil))
        }
    }

    private func answer(
        to request: HTTPClient.Request, within limit: Duration
    ) -> Result<Reply, HTTPClient.Failure> {
        do throws(SecretError) {
            return try client.answer(to: request, within: limit, now)
        } catch {
            return .failure(.broken("\(error)"))
        }
    }

    package func close() { client.close() }
}

package struct TileDownloadError: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }

    package static func noImage(_ host: String) -> Self { Self("\(host) sends no PNG, JPEG or WebP image") }
}
