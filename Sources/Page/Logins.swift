import Quantities

struct Logins {
    private let settings: PageSettings
    /// Nil if every browser may read the page.
    private let password: PasswordFile?
    private var sessions = Sessions()
    private var delay = LoginDelay()
    /// The token for the actions of a page without a password.
    private let openToken = SecretText.next()

    init(_ settings: PageSettings) throws {
        self.settings = settings
        password = try settings.passwordFile.map { try PasswordFile(path: $0) }
    }

    /// Nil if the browser must log in first.
    mutating func token(of exchange: Exchange, at now: Instant) -> String? {
        guard password != nil else { return openToken }
        return sessions.token(of: id(in: exchange), at: now)
    }

    mutating func session(of exchange: Exchange, at now: Instant) -> Answer {
        .json(description(token: token(of: exchange, at: now)))
    }

    mutating func logIn(_ exchange: Exchange, at now: Instant) -> Answer {
        guard let password else { return .json(description(token: openToken)) }
        let peer = exchange.peer
        let pause = delay.pause(for: peer, at: now)
        guard pause <= .zero else {
            let seconds = Int(pause.inSeconds.rounded(.up))
            return .failure(
                429, "Too many wrong passwords. Try again in \(seconds) s.", headers: [("Retry-After", "\(seconds)")])
        }
        guard let attempt = exchange.object?["password"], password.accepts(attempt) else {
            delay.noteFailure(of: peer, at: now)
            return .failure(401, "The password is wrong.")
        }
        delay.reset(peer)
        if let old = id(in: exchange) { sessions.remove(old) }
        let (id, token) = (SecretText.next(), SecretText.next())
        sessions.add(id, token: token, at: now)
        return .json(description(token: token), headers: [header(id: id, lifetime_s: 604_800)])
    }

    mutating func logOut(_ exchange: Exchange) -> Answer {
        if let old = id(in: exchange) { sessions.remove(old) }
        return .json(description(token: nil), headers: [header(id: "", lifetime_s: 0)])
    }

    /// Returns JSON about this page for its script.
    private func description(token: String?) -> String {
        let flags =
            #""needsPassword":\#(password != nil),"loggedIn":\#(token != nil),"actions":\#(settings.controlSocket != nil)"#
        return #"{"ok":true,"result":{\#(flags),"token":"\#(token ?? "")"}}"#
    }

    /// Browsers accept the prefix `__Host-` only through TLS, and send such a cookie only to this host.
    private var cookie: String { settings.isSecure ? "__Host-trackerd" : "trackerd-session" }

    private func header(id: String, lifetime_s: Int) -> (String, String) {
        let secure = settings.isSecure ? "; Secure" : ""
        return ("Set-Cookie", "\(cookie)=\(id); Path=/; HttpOnly; SameSite=Strict; Max-Age=\(lifetime_s)\(secure)")
    }

    private func id(in exchange: Exchange) -> String? {
        for part in exchange.header("Cookie")?.split(separator: ";") ?? [] {
            let text = part.drop { $0 == " " }
            if text.hasPrefix(cookie + "=") { return String(text.dropFirst(cookie.count + 1)) }
        }
        return nil
    }
}
