import CMicrohttpd
import Glibc
package import Quantities

/// Serves the page to browsers; one poll loop waits for the browsers and the daemon.
package final class PageServer {
    /// The maximum number of browsers that receive events; further browsers can still load the page.
    private static let mostViewers = 8
    /// The maximum number of connections from one address, without those of viewers; a browser opens at most six.
    private static let mostOfAddress: UInt32 = 8
    /// The interval at which the server sends a comment in each stream, to detect browsers that have disconnected.
    private static let sign = Duration.seconds(15)

    let settings: PageSettings
    let password: PasswordFile?
    let hosts: HostRule
    var sessions = Sessions()
    var delay = LoginDelay()
    /// The token that actions must contain if the page has no password.
    let openToken = SecretText.next()
    private var questions: Questions
    /// The requests to the doctor, which takes so long that other requests must not wait for its reply.
    private var examinations: Questions
    private var actions: Questions?
    private var feed: EventFeed
    private var viewers: Set<Exchange> = []
    private var live: Set<Exchange> = []
    private var lastSign = Instant.boot
    private var watchdog = Watchdog()
    private var server: OpaquePointer?

    /// Listens at the page's address; throws an error if the settings or their files are wrong, or if the page cannot
    /// listen.
    package init(_ settings: PageSettings) throws {
        try settings.check()
        self.settings = settings
        password = try settings.passwordFile.map { try PasswordFile(path: $0) }
        hosts = HostRule(settings.listen, names: settings.names)
        questions = Questions(path: settings.readSocket)
        examinations = Questions(path: settings.readSocket, patience: .seconds(75))
        actions = settings.controlSocket.map { Questions(path: $0) }
        feed = EventFeed(path: settings.readSocket)
        server = try start()
    }

    /// The URL of the page, or the path of its Unix socket.
    package var url: String {
        guard case .internet = settings.listen, let host = settings.listen.host, let server else {
            return "\(settings.listen)"
        }
        return "\(settings.certificate == nil ? "http" : "https")://\(host):\(chttpd_port(server))/"
    }

    /// Serves browsers until the process ends.
    package func run(clock: () -> Instant) -> Never {
        watchdog.begin(at: clock())
        while true { turn(clock: clock) }
    }

    private func turn(clock: () -> Instant) {
        guard let server else { return }
        let now = clock()
        let descriptors = [
            chttpd_descriptor(server), feed.descriptor, questions.descriptor, actions?.descriptor ?? -1,
            examinations.descriptor,
        ]
        var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        poll(&polled, nfds_t(polled.count), wait(server, at: now))
        let ready = polled.map { $0.revents != 0 }
        let after = clock()
        self.now = after
        // Process answers and events before `chttpd_run`, which then sends them to the browsers.
        publish(feed.turn(isWanted: !viewers.isEmpty, isReady: ready[1], at: after))
        sendSign(at: after)
        questions.turn(isReady: ready[2], at: after)
        actions?.turn(isReady: ready[3], at: after)
        examinations.turn(isReady: ready[4], at: after)
        watchdog.turn(at: after) { chttpd_probe(server) }
        chttpd_run(server)
        // `chttpd_run` may have accepted viewers and requests. Therefore connect to the daemon and send requests before the
        // next wait.
        if !viewers.isEmpty { publish(feed.turn(isWanted: true, isReady: false, at: after)) }
        questions.turn(isReady: false, at: after)
        actions?.turn(isReady: false, at: after)
        examinations.turn(isReady: false, at: after)
    }

    /// The time of the present turn.
    private(set) var now = Instant.boot

    /// Returns the longest wait in milliseconds.
    private func wait(_ server: OpaquePointer, at now: Instant) -> Int32 {
        var deadlines = [
            questions.deadline(at: now), actions?.deadline(at: now), examinations.deadline(at: now), watchdog.deadline,
        ]
        if !viewers.isEmpty { deadlines += [feed.deadline, lastSign + Self.sign] }
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
        route(exchange)
    }

    private func forget(_ exchange: Exchange) {
        live.remove(exchange)
        viewers.remove(exchange)
    }

    /// The connection to the daemon through which a request goes.
    enum Line { case reading, acting, examining }

    /// Sends a request to the daemon, and passes the reply to the browser.
    func ask(_ request: String, for exchange: Exchange, through line: Line = .reading) {
        let receiver: Questions.Receiver = { [unowned self] reply in
            guard live.contains(exchange) else { return }
            exchange.answer(
                reply.map { .json($0) }
                    ?? .failure(503, "trackerd does not answer. Run `systemctl status trackerd` on the tracker."))
        }
        switch line {
        case .reading: questions.ask(request, receiver)
        case .acting: actions?.ask(request, receiver)
        case .examining: examinations.ask(request, receiver)
        }
    }

    /// Begins a stream of events for a browser.
    func addViewer(_ exchange: Exchange) {
        guard viewers.count < Self.mostViewers else {
            return exchange.answer(.failure(503, "Too many browsers show the page. Close one of them."))
        }
        exchange.stream(Answer.guards + [("Content-Type", "text/event-stream"), ("X-Accel-Buffering", "no")])
        viewers.insert(exchange)
        _ = exchange.push("retry: 3000\n\ndata: {\"event\":\"connection\",\"connected\":\(feed.isConnected)}\n\n")
        if let status = feed.lastStatus { _ = exchange.push("data: \(status)\n\n") }
    }

    private func publish(_ events: [String]) {
        guard !events.isEmpty else { return }
        let text = events.map { "data: \($0)\n\n" }.joined()
        for viewer in viewers where !viewer.push(text) { viewers.remove(viewer) }
    }

    private func sendSign(at now: Instant) {
        guard !viewers.isEmpty, now - lastSign >= Self.sign else { return }
        lastSign = now
        for viewer in viewers where !viewer.push(": \n\n") { viewers.remove(viewer) }
    }

    /// Returns the JSON text that describes this page for its script.
    func description(token: String?) -> String {
        let flags =
            #""needsPassword":\#(password != nil),"loggedIn":\#(token != nil),"actions":\#(settings.controlSocket != nil)"#
        return #"{"ok":true,"result":{\#(flags),"token":"\#(token ?? "")"}}"#
    }
}
