internal import Formats
internal import Quantities

/// Fetches orders or regions at an interval. If the server states a version, an unchanged file is not sent again (RFC
/// 9110, 13.1.2).
final class FilePoll {
    enum Result: Sendable, Hashable {
        /// The file has changed, or its version is unknown.
        case changed([UInt8])
        case unchanged
        /// `isFirst` is false if the attempt before failed too.
        case failed(String, isFirst: Bool)
    }

    private struct Version {
        let url: String
        let tag: String
    }

    /// The shortest pause between two requests if the address changes.
    private static let shortestPause = Duration.seconds(10)

    /// The name of the content in messages, such as `orders`.
    private let content: String
    private let interval: Duration
    private let access: TargetAccess
    private let proxy: ProxyAddress?
    private let timeouts: TransportTimeouts
    private var client = HTTPClient()
    /// Nil means that nothing is fetched at present.
    private var url: String?
    private var asked: String?
    private var due = Instant.boot
    private var startedAt: Instant?
    private var calledAt = Instant.boot
    /// The version of the last file that was read completely.
    private var version: Version?
    private var isFailing = false
    private var backoff = Backoff(first: .seconds(60), longest: .seconds(3600))

    init(
        _ content: String, at url: String?, every interval: Duration, _ access: TargetAccess, _ proxy: ProxyAddress?,
        _ timeouts: TransportTimeouts
    ) {
        (self.content, self.url, self.interval) = (content, url, interval)
        (self.access, self.proxy, self.timeouts) = (access, proxy, timeouts)
    }

    var isAsking: Bool { asked != nil }

    var watches: [Watch] { asked == nil ? [] : client.watches }

    var deadline: Instant? { asked == nil ? url.map { _ in due } : calledAt + .milliseconds(client.wait_ms) }

    /// A new address is fetched as soon as possible, but after a failure only when the pause is over; nil stops the
    /// requests.
    func fetch(_ url: String?, at now: Instant) {
        guard url != self.url else { return }
        self.url = url
        hurry(at: now)
    }

    func fetchNow(at now: Instant) { due = min(due, now) }

    /// Ends the pause, for example when the network is back.
    func endPause(at now: Instant) {
        guard isFailing else { return }
        backoff.reset()
        due = now
    }

    /// Nil until a request is over.
    func turn(at now: Instant) -> Result? {
        calledAt = now
        if asked == nil {
            guard let url, now >= due else { return nil }
            startedAt = now
            if let fault = start(url) { return end(failure(fault), at: now) }
        }
        guard client.advance() else { return nil }
        return end(result(), at: now)
    }

    func breakOff(at now: Instant) {
        guard asked != nil else { return }
        renewClient()
        due = now
    }

    /// Forgets the version of content that could not be stored, so that it is fetched again after the interval.
    func forgetVersion() { version = nil }

    func close() { client.close() }

    private func start(_ url: String) -> String? {
        let known = version.flatMap { $0.url == url ? $0.tag : nil }
        let headers = known.map { [WirePayload.Header("If-None-Match", $0)] } ?? []
        let request = HTTPClient.Request(url: url, access: access, proxy: proxy, headers: headers, timeouts: timeouts)
        do throws(SecretError) {
            asked = url
            return try client.start(request) ? nil : "out of memory"
        } catch {
            return "\(error)"
        }
    }

    private func result() -> Result {
        let url = asked ?? ""
        let host = (try? ServerAddress(url))?.host ?? "the server"
        switch client.reply() {
        case .success(let reply):
            switch reply.status {
            case 200:
                let tag = client.entityTag
                let isKnown = version.map { $0.url == url && $0.tag == tag } ?? false
                version = tag.isEmpty ? nil : Version(url: url, tag: tag)
                return isKnown ? .unchanged : .changed(reply.body)
            case 304, 204, 404, 410: return .unchanged
            default: return failure("\(host) answers the request for \(content) with status \(reply.status)")
            }
        case .failure(let failure):
            renewClient()
            return self.failure("the \(content) cannot be fetched: \(failure.reason(host, proxy))")
        }
    }

    private func failure(_ reason: String) -> Result { .failed(reason, isFirst: !isFailing) }

    private func end(_ result: Result, at now: Instant) -> Result {
        let isOutdated = asked != url
        asked = nil
        if case .failed = result {
            due = now + min(backoff.next(), interval)
            isFailing = true
        } else {
            isFailing = false
            backoff.reset()
            due = now + interval
            if isOutdated { hurry(at: now) }
        }
        return result
    }

    private func hurry(at now: Instant) {
        guard !isFailing else { return }
        due = min(due, startedAt.map { max(now, $0 + Self.shortestPause) } ?? now)
    }

    private func renewClient() {
        client.close()
        client = HTTPClient()
        asked = nil
    }
}
