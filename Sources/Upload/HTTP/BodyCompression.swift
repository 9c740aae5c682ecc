internal import CDeflate
internal import Formats

/// Compresses bodies if the rule and the server's answers allow it.
struct BodyCompression {
    private let rule: UploadTarget.Compression
    private var isAccepted = false
    private var isOffered = false
    private var isRejected = false
    private var isCompressed = false
    /// True while the payload is repeated uncompressed, which shows whether the compression or the records are rejected.
    private var isTrial = false

    /// Compression saves little of a shorter body.
    private static let shortest_bytes = 256

    init(_ rule: UploadTarget.Compression) { self.rule = rule }

    private var isWanted: Bool {
        switch rule {
        case .none: false
        case .offered: isOffered && !isRejected && !isTrial
        case .gzip: !isRejected && !isTrial
        }
    }

    mutating func encode(_ body: [UInt8]) -> ([UInt8], [WirePayload.Header]) {
        isCompressed = false
        guard isWanted, body.count >= Self.shortest_bytes, let short = Self.gzip(body) else { return (body, []) }
        isCompressed = true
        return (short, [WirePayload.Header("Content-Encoding", "gzip")])
    }

    /// Returns whether to repeat the payload without compression.
    mutating func mustRepeat(after reply: Reply, _ offersGzip: Bool) -> Bool {
        let isSuccess = (200...299).contains(reply.status)
        if offersGzip { isOffered = true }
        if isTrial {
            isTrial = false
            isRejected = isRejected || isSuccess
            return false
        }
        guard isCompressed else { return false }
        if isSuccess { isAccepted = true }
        // RFC 9110, section 15.5.16: with 415 a server rejects the coding.
        if reply.status == 415 { isRejected = true }
        guard !isAccepted, Self.mayMeanRejection.contains(reply.status) else { return reply.status == 415 }
        isTrial = true
        return true
    }

    /// Status codes of servers that reject the coding, or read the compressed bytes as JSON.
    private static let mayMeanRejection = [400, 415, 422, 500, 501]

    /// Nil if the compressed body is not shorter.
    private static func gzip(_ body: [UInt8]) -> [UInt8]? {
        let short = [UInt8](unsafeUninitializedCapacity: body.count) { buffer, count in
            count = cdeflate_gzip(body, body.count, buffer.baseAddress, buffer.count)
        }
        return short.isEmpty ? nil : short
    }
}
