import CMicrohttpd
import Glibc
package import Quantities

/// Serves the page to browsers; one poll loop waits for the browsers and the daemon.
package final class PageServer {
    /// The maximum number of connections from one address, without those of viewers; a browser opens at most six.
    private static let mostOfAddress: UInt32 = 8

    private let settings: PageSettings
    private var routes: Routes
    private var requests: DaemonRequests
    private var viewers: Viewers
    /// The exchanges that have not ended; the handle of any other is invalid.
    private var live: Set<Exchange> = []
    private var watchdog = Watchdog()
    private var server: OpaquePointer?
    /// The time of the present turn.
    private var now = Instant.boot

    /// Listens at the page's address; throws an error if the settings or their files are wrong, or if the page cannot
    /// listen.
    package init(_ settings: PageSettings) throws {
        try settings.check()
        self.settings = settings
        routes = try Routes(settings)
        requests = DaemonRequests(settings)
        viewers = Viewers(path: settings.readSocket)
        server = try start()
    }

    /// The URL of the page, or the path of its Unix socket.
    package var url: String {
        guard case .internet = settings.listen, let host = settings.listen.host, let server else {
            return "\(settings.listen)"
        }
        return "\(settings.certificate == nil ? "http" : "https")://\(host):\(chttpd_port(server))/"
    }

    package func run(clock: () -> Instant) -> Never {
        watchdog.begin(at: clock())
        while true { turn(clock: clock) }
    }

    private func turn(clock: () -> Instant) {
        guard let server else { return }
        let descriptors = [chttpd_descriptor(server), viewers.descriptor] + requests.descriptors
        var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        poll(&polled, nfds_t(polled.count), wait(server, at: clock()))
        let ready = polled.map { $0.revents != 0 }
        now = clock()
        // Process answers and events before `chttpd_run`, which then sends them to the browsers.
        viewers.turn(isReady: ready[1], at: now)
        requests.turn(ready: Array(ready[2...]), at: now)
        watchdog.turn(at: now) { chttpd_probe(server) }
        chttpd_run(server)
        // `chttpd_run` may have accepted viewers and requests. Therefore connect to the daemon and send requests before the
        // next wait.
        viewers.connect(at: now)
        requests.turn(at: now)
    }

    /// Returns the longest wait in milliseconds.
    private func wait(_ server: OpaquePointer, at now: Instant) -> Int32 {
        let deadlines = [requests.deadline(at: now), viewers.deadline, watchdog.deadline]
        let own = deadlines.compactMap(\.self).min().map { Int32(max(0, min(60, ($0 - now).inSeconds)) * 1000) + 1 }
        let servers = chttpd_timeout_ms(server)
        return min(own ?? servers, servers)
    }

    private func start() throws(PageError) -> OpaquePointer {
        let key = try settings.key.map { path throws(PageError) in try Self.text(of: path) }
        let certificate = try settings.certificate.map { path throws(PageError) in try Self.text(of: path) }
        let receiver = chttpd_receiver(
            context: Unmanaged.passUnretained(self).toOpaque(),
            request: { context, exchange in
                guard let context, let exchange else { return }
                Unmanaged<PageServer>.fromOpaque(context).takeUnretainedValue().receive(Exchange(exchange))
            },
            closed: { context, exchange in
                guard let context, let exchange else { return }
                Unmanaged<PageServer>.fromOpaque(context).takeUnretainedValue().forget(Exchange(exchange))
            })
        let (address, port): (String, UInt16) =
            switch settings.listen {
            case .socket(let path): (path, 0)
            case .internet(let address, let port): (address, port)
            }
        var cause: Int32 = 0
        let most = settings.hasAddressOfProxy ? 0 : Self.mostOfAddress
        if let server = chttpd_start(address, port, most, key, certificate, receiver, &cause) { return server }
        throw PageError(
            cause == EPROTO
                ? "The certificate or the key is not a PEM file, or the key belongs to another certificate. Correct `--certificate` and `--key`."
                : "\(settings.listen): the page cannot listen there (\(String(cString: strerror(cause)))). Choose another address with `--listen`."
        )
    }

    private static func text(of path: String) throws(PageError) -> String {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            throw PageError("\(path): trackerd-page cannot read this file (\(String(cString: strerror(errno)))).")
        }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 256 * 1024)
        let count = read(file, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    // MARK: - Exchanges

    private func receive(_ exchange: Exchange) {
        live.insert(exchange)
        switch routes.reply(to: exchange, at: now) {
        case .answer(let answer): exchange.answer(answer)
        case .events: viewers.add(exchange)
        case .ask(let request, let line): ask(request, for: exchange, through: line)
        }
    }

    private func forget(_ exchange: Exchange) {
        live.remove(exchange)
        viewers.remove(exchange)
    }

    private func ask(_ request: String, for exchange: Exchange, through line: DaemonRequests.Line) {
        requests.ask(request, through: line) { [unowned self] reply in
            guard live.contains(exchange) else { return }
            exchange.answer(
                reply.map { .json($0) }
                    ?? .failure(503, "trackerd does not answer. Run `systemctl status trackerd` on the tracker."))
        }
    }
}
