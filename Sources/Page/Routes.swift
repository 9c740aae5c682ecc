import FoundationEssentials
import Quantities

/// The answers to the requests of browsers.
extension PageServer {
    /// Answers a request at once, or begins a stream or a request to the daemon.
    func route(_ exchange: Exchange) {
        let (method, path) = (exchange.method, exchange.path)
        guard hosts.admits(exchange.header("Host")) else {
            let text = "The page does not have this host name. Use its address, or start the page with `--host NAME`."
            return exchange.answer(.failure(421, text))
        }
        let isOwn = OriginRule.admits(
            method: method, path: path, host: exchange.header("Host"), origin: exchange.header("Origin"),
            site: exchange.header("Sec-Fetch-Site"))
        guard isOwn else { return exchange.answer(.failure(403, "Only the page itself may send this request.")) }
        switch (method, path) {
        case ("GET", let path) where !path.hasPrefix("/api/"): sendFile(path, to: exchange)
        case ("GET", "/api/session"): exchange.answer(.json(description(token: token(of: exchange))))
        case ("POST", "/api/login"): logIn(exchange)
        case ("POST", "/api/logout"): logOut(exchange)
        case ("GET", _), ("POST", "/api/action"):
            guard let token = token(of: exchange) else { return exchange.answer(.failure(401, "Log in first.")) }
            if method == "GET" { answer(exchange) } else { act(exchange, token: token) }
        default:
            exchange.answer(.failure(405, "The page does not support this method.", headers: [("Allow", "GET, POST")]))
        }
    }

    private func sendFile(_ path: String, to exchange: Exchange) {
        guard let file = PageFile.named(path) else { return exchange.answer(.failure(404, "There is no such page.")) }
        exchange.answer(Answer(200, type: file.type, file.bytes))
    }

    // MARK: - Reading

    private func answer(_ exchange: Exchange) {
        switch exchange.path {
        case "/api/events": addViewer(exchange)
        case "/api/status": ask(#"{"request":"status"}"#, for: exchange)
        case "/api/doctor": ask(#"{"request":"doctor"}"#, for: exchange, through: .examining)
        case "/api/queue": ask(#"{"request":"queue"}"#, for: exchange)
        case "/api/trips": ask("trips list", ["before"], exchange)
        case "/api/track": ask("track", ["from", "to", "after", "until", "most"], exchange)
        case "/api/why": ask("why", ["time", "span_s"], exchange)
        default: exchange.answer(.failure(404, "There is no such page."))
        }
    }

    /// Sends the daemon a request with the given arguments of the query.
    ///
    /// The arguments may contain only digits and the other characters of a time.
    private func ask(_ request: String, _ names: [String], _ exchange: Exchange) {
        var parts = [#""request":"\#(request)""#]
        for name in names {
            guard let value = exchange.argument(name) else { continue }
            let isPlain = value.utf8.count <= 40 && value.utf8.allSatisfy { "0123456789-:.TZ+".utf8.contains($0) }
            guard isPlain else { return exchange.answer(.failure(400, "`\(name)` is neither a number nor a time.")) }
            parts.append(#""\#(name)":"\#(value)""#)
        }
        ask("{\(parts.joined(separator: ","))}", for: exchange)
    }

    // MARK: - Actions

    /// The requests that a browser may send if the owner allows actions, each with its permitted keys.
    private static let actions: [String: Set<String>] = [
        "locate": [], "move": [], "stay": [], "mode": ["mode"], "trip start": ["tripId"], "trip end": [],
        "queue retry": ["target"], "trips name": ["trip", "name"],
    ]

    private func act(_ exchange: Exchange, token: String) {
        guard settings.controlSocket != nil else {
            return exchange.answer(
                .failure(403, "The page is read-only. To allow actions, start it with `--allow-actions`."))
        }
        guard exchange.header("X-Trackerd-Token") == token else {
            return exchange.answer(.failure(403, "The page is out of date. Reload it."))
        }
        guard let values = object(in: exchange), let request = values["request"], let keys = Self.actions[request],
            Set(values.keys).isSubset(of: keys.union(["request"])), let data = try? JSONEncoder().encode(values)
        else { return exchange.answer(.failure(400, "The page does not accept this request.")) }
        ask(String(decoding: data, as: UTF8.self), for: exchange, through: .acting)
    }

    /// Returns the keys and strings of the JSON object in the body; nil if the body is not an object of strings, or if
    /// its type is not JSON.
    private func object(in exchange: Exchange) -> [String: String]? {
        guard exchange.header("Content-Type")?.hasPrefix("application/json") == true, let body = exchange.body else {
            return nil
        }
        return try? JSONDecoder().decode([String: String].self, from: Data(body))
    }

    // MARK: - Sessions

    /// The name of the cookie.
    ///
    /// Browsers accept a cookie with the prefix `__Host-` only through TLS, and send it only to this host.
    private var cookie: String { settings.isSecure ? "__Host-trackerd" : "trackerd-session" }

    private func token(of exchange: Exchange) -> String? {
        guard password != nil else { return openToken }
        return sessions.token(of: id(in: exchange), at: now)
    }

    private func id(in exchange: Exchange) -> String? {
        for part in exchange.header("Cookie")?.split(separator: ";") ?? [] {
            let text = part.drop { $0 == " " }
            if text.hasPrefix(cookie + "=") { return String(text.dropFirst(cookie.count + 1)) }
        }
        return nil
    }

    private func logIn(_ exchange: Exchange) {
        guard let password else { return exchange.answer(.json(description(token: openToken))) }
        let peer = exchange.peer
        let pause = delay.pause(for: peer, at: now)
        guard pause <= .zero else {
            let seconds = Int(pause.inSeconds.rounded(.up))
            return exchange.answer(
                .failure(
                    429, "Too many wrong passwords. Try again in \(seconds) s.",
                    headers: [("Retry-After", "\(seconds)")]))
        }
        guard let attempt = object(in: exchange)?["password"], password.accepts(attempt) else {
            delay.noteFailure(of: peer, at: now)
            return exchange.answer(.failure(401, "The password is wrong."))
        }
        delay.reset(peer)
        if let old = id(in: exchange) { sessions.remove(old) }
        let (id, token) = (SecretText.next(), SecretText.next())
        sessions.add(id, token: token, at: now)
        let secure = settings.isSecure ? "; Secure" : ""
        let header = "\(cookie)=\(id); Path=/; HttpOnly; SameSite=Strict; Max-Age=604800\(secure)"
        exchange.answer(.json(description(token: token), headers: [("Set-Cookie", header)]))
    }

    private func logOut(_ exchange: Exchange) {
        if let old = id(in: exchange) { sessions.remove(old) }
        let secure = settings.isSecure ? "; Secure" : ""
        let header = "\(cookie)=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0\(secure)"
        exchange.answer(.json(description(token: nil), headers: [("Set-Cookie", header)]))
    }
}
