import FoundationEssentials
import Quantities

struct Routes {
    enum Reply {
        case answer(Answer)
        case events
        case ask(String, through: DaemonRequests.Line = .reading)

        static func failure(_ status: Int, _ text: String, headers: [(String, String)] = []) -> Reply {
            .answer(.failure(status, text, headers: headers))
        }
    }

    private let settings: PageSettings
    private let hosts: HostRule
    private var logins: Logins

    /// Throws if the password file is unusable.
    init(_ settings: PageSettings) throws {
        self.settings = settings
        hosts = HostRule(settings.listen, names: settings.names)
        logins = try Logins(settings)
    }

    mutating func reply(to exchange: Exchange, at now: Instant) -> Reply {
        let (method, path) = (exchange.method, exchange.path)
        guard hosts.admits(exchange.header("Host")) else {
            let text = "The page does not have this host name. Use its address, or start the page with `--host NAME`."
            return .failure(421, text)
        }
        let isOwn = OriginRule.admits(
            method: method, path: path, host: exchange.header("Host"), origin: exchange.header("Origin"),
            site: exchange.header("Sec-Fetch-Site"))
        guard isOwn else { return .failure(403, "Only the page itself may send this request.") }
        switch (method, path) {
        case ("GET", let path) where !path.hasPrefix("/api/"): return file(path)
        case ("GET", "/api/session"): return .answer(logins.session(of: exchange, at: now))
        case ("POST", "/api/login"): return .answer(logins.logIn(exchange, at: now))
        case ("POST", "/api/logout"): return .answer(logins.logOut(exchange))
        case ("GET", _), ("POST", "/api/action"):
            guard let token = logins.token(of: exchange, at: now) else { return .failure(401, "Log in first.") }
            return method == "GET" ? read(exchange) : act(exchange, token: token)
        default:
            return .failure(405, "The page does not support this method.", headers: [("Allow", "GET, POST")])
        }
    }

    private func file(_ path: String) -> Reply {
        guard let file = PageFile.named(path) else { return .failure(404, "There is no such page.") }
        return .answer(Answer(200, type: file.type, file.bytes))
    }

    // MARK: - Reading

    private func read(_ exchange: Exchange) -> Reply {
        switch exchange.path {
        case "/api/events": .events
        case "/api/status": .ask(#"{"request":"status"}"#)
        case "/api/doctor": .ask(#"{"request":"doctor"}"#, through: .examining)
        case "/api/queue": .ask(#"{"request":"queue"}"#)
        case "/api/trips": question("trips list", ["before"], exchange)
        case "/api/track": question("track", ["from", "to", "after", "until", "most"], exchange)
        case "/api/why": question("why", ["time", "span_s"], exchange)
        default: .failure(404, "There is no such page.")
        }
    }

    /// The arguments may contain only digits and the other characters of a time.
    private func question(_ request: String, _ names: [String], _ exchange: Exchange) -> Reply {
        var parts = [#""request":"\#(request)""#]
        for name in names {
            guard let value = exchange.argument(name) else { continue }
            let isPlain = value.utf8.count <= 40 && value.utf8.allSatisfy { "0123456789-:.TZ+".utf8.contains($0) }
            guard isPlain else { return .failure(400, "`\(name)` is neither a number nor a time.") }
            parts.append(#""\#(name)":"\#(value)""#)
        }
        return .ask("{\(parts.joined(separator: ","))}")
    }

    // MARK: - Actions

    /// The requests that need the owner's permission, each with its permitted keys.
    private static let actions: [String: Set<String>] = [
        "locate": [], "move": [], "stay": [], "mode": ["mode"], "trip start": ["tripId"], "trip end": [],
        "queue retry": ["target"], "trips name": ["trip", "name"],
    ]

    private func act(_ exchange: Exchange, token: String) -> Reply {
        guard settings.controlSocket != nil else {
            return .failure(403, "The page is read-only. To allow actions, start it with `--allow-actions`.")
        }
        guard exchange.header("X-Trackerd-Token") == token else {
            return .failure(403, "The page is out of date. Reload it.")
        }
        guard let values = exchange.object, let request = values["request"], let keys = Self.actions[request],
            Set(values.keys).isSubset(of: keys.union(["request"])), let data = try? JSONEncoder().encode(values)
        else { return .failure(400, "The page does not accept this request.") }
        return .ask(String(decoding: data, as: UTF8.self), through: .acting)
    }
}

extension Exchange {
    /// Nil if the body is not a JSON object of strings, or if its type is not JSON.
    var object: [String: String]? {
        guard header("Content-Type")?.hasPrefix("application/json") == true, let body else { return nil }
        return try? JSONDecoder().decode([String: String].self, from: Data(body))
    }
}

/// The program contains all files, so that no path of a request is ever opened.
struct PageFile {
    let type: String
    let bytes: [UInt8]

    static func named(_ path: String) -> PageFile? {
        switch path {
        case "/": PageFile(type: "text/html; charset=utf-8", bytes: PackageResources.index_html)
        case "/page.css": PageFile(type: "text/css; charset=utf-8", bytes: PackageResources.page_css)
        case "/page.js": script(PackageResources.page_js)
        case "/actions.js": script(PackageResources.actions_js)
        case "/doctor.js": script(PackageResources.doctor_js)
        case "/track.js": script(PackageResources.track_js)
        case "/states.js": script(PackageResources.states_js)
        case "/timeline.js": script(PackageResources.timeline_js)
        case "/words.js": script(PackageResources.words_js)
        case "/icon.svg": PageFile(type: "image/svg+xml", bytes: PackageResources.icon_svg)
        case "/manifest.json": PageFile(type: "application/manifest+json", bytes: PackageResources.manifest_json)
        default: nil
        }
    }

    private static func script(_ bytes: [UInt8]) -> PageFile {
        PageFile(type: "text/javascript; charset=utf-8", bytes: bytes)
    }
}
