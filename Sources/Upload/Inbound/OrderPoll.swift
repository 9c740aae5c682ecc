internal import Quantities

/// Requests a file with orders from a web server at an interval.
///
/// If the server states the file's version, trackerd downloads the file only if it has changed (RFC 9110, section
/// 13.1.2).
final class OrderPoll {
    /// The result of a request.
    enum Result: Sendable, Hashable {
        /// The file has this content, and has changed, or its version is unknown.
        case changed([UInt8])
        /// The file has not changed, or the server has no file.
        case unchanged
        /// The file cannot be fetched, for this reason; trackerd reports only the first failure after a success.
        case failed(String, isFirst: Bool)
    }

    private let source: OrderSource
    private let access: TargetAccess
    private let proxy: ProxyAddress?
    private let timeouts: TransportTimeouts
    private var client = HTTPClient()
    private var isAsking = false
    private var due = Instant.boot
    private var calledAt = Instant.boot
    /// The version of the file that trackerd has read completely; empty if there is none.
    private var version = ""
    private var isFailing = false
    private var backoff = Backoff(first: .seconds(60), longest: .seconds(3600))

    init(_ source: OrderSource, _ target: UploadTarget, _ timeouts: TransportTimeouts) {
        (self.source, self.timeouts) = (source, timeouts)
        (access, proxy) = (target.orderAccess, target.proxy)
    }

    /// The sockets of the request.
    var watches: [Watch] { isAsking ? client.watches : [] }

    /// When the poll needs the next turn.
    var deadline: Instant { isAsking ? calledAt + .milliseconds(client.wait_ms) : due }

    /// Continues the request, or starts the next one if it is due; returns the result when a request is over.
    func turn(at now: Instant) -> Result? {
        calledAt = now
        if !isAsking {
            guard now >= due else { return nil }
            if let fault = start() { return end(failure(fault), at: now) }
        }
        guard client.advance() else { return nil }
        return end(result(), at: now)
    }

    /// Abandons the request; the next turn starts another request.
    func breakOff(at now: Instant) {
        guard isAsking else { return }
        renewClient()
        due = now
    }

    /// Fetches the file once more after the interval even if it has not changed, because trackerd could not store an
    /// order in it.
    func forgetVersion() { version = "" }

    func close() { client.close() }

    /// Starts a request; returns the reason if this is impossible.
    private func start() -> String? {
        let headers = version.isEmpty ? [] : [WirePayload.Header("If-None-Match", version)]
        let request = HTTPClient.Request(
            url: source.url, access: access, proxy: proxy, headers: headers, timeouts: timeouts)
        do throws(SecretError) {
            isAsking = try client.start(request)
            return isAsking ? nil : "out of memory"
        } catch {
            return "\(error)"
        }
    }

    private func result() -> Result {
        let host = (try? ServerAddress(source.url))?.host ?? "the server"
        switch client.reply() {
        case .success(let reply):
            switch reply.status {
            case 200:
                let isNew = version.isEmpty || version != client.entityTag
                version = client.entityTag
                return isNew ? .changed(reply.body) : .unchanged
            case 304, 204, 404, 410: return .unchanged
            default: return failure("\(host) answers the request for orders with status \(reply.status)")
            }
        case .failure(let failure):
            renewClient()
            return self.failure("the orders cannot be fetched: \(failure.reason(host, proxy))")
        }
    }

    private func failure(_ reason: String) -> Result { .failed(reason, isFirst: !isFailing) }

    private func end(_ result: Result, at now: Instant) -> Result {
        isAsking = false
        if case .failed = result {
            due = now + min(backoff.next(), source.interval)
            isFailing = true
        } else {
            isFailing = false
            backoff.reset()
            due = now + source.interval
        }
        return result
    }

    private func renewClient() {
        client.close()
        client = HTTPClient()
        isAsking = false
    }
}
