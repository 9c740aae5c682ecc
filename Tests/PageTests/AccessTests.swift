import Quantities
import Testing

@testable import Page

@Suite("Access to the page")
struct AccessTests {
    @Test(
        "The page answers a request only under its own host names, with any port.",
        arguments: [
            ("localhost:8080", true), ("127.0.0.1:8080", true), ("127.0.0.1", true), ("[::1]:8080", true),
            ("LOCALHOST:9000", true), ("van1.local", true), ("evil.example:8080", false),
            ("127.0.0.1.evil.example", false), ("", false), ("192.168.1.5:8080", false),
        ])
    func hosts(header: String, isAdmitted: Bool) throws {
        let rule = HostRule(try #require(ListenAddress("127.0.0.1:8080")), names: ["Van1.local"])
        #expect(rule.admits(header) == isAdmitted)
        #expect(!rule.admits(nil))
    }

    @Test("A page on the network answers under its address, and not under the names of loopback.")
    func network() throws {
        let rule = HostRule(try #require(ListenAddress("192.168.1.5:8443")), names: [])
        #expect(rule.admits("192.168.1.5:8443"))
        #expect(!rule.admits("localhost:8443"))
    }

    @Test(
        "A page at all addresses answers under every IP address, and under no other name.",
        arguments: ["0.0.0.0:8443", "[::]:8443"])
    func wildcard(listen: String) throws {
        let rule = HostRule(try #require(ListenAddress(listen)), names: ["van1.local"])
        for name in ["192.168.1.5:8443", "[fd00::1]:8443", "van1.local"] { #expect(rule.admits(name), "\(name)") }
        for name in ["evil.example", "1.2.3.4.evil.example", "1.2.3", "1.2.3.400"] {
            #expect(!rule.admits(name), "\(name)")
        }
    }

    @Test("Another site may link to the page, but its other requests are refused.")
    func origins() {
        func admits(_ method: String, _ path: String, origin: String? = nil, site: String? = nil) -> Bool {
            OriginRule.admits(method: method, path: path, host: "localhost:8080", origin: origin, site: site)
        }
        #expect(admits("GET", "/", site: "cross-site"))
        #expect(admits("GET", "/", site: "none"))
        #expect(!admits("GET", "/api/status", site: "cross-site"))
        #expect(!admits("GET", "/page.js", site: "same-site"))
        #expect(admits("GET", "/api/status", site: "same-origin"))
        #expect(admits("GET", "/api/status"))
        #expect(admits("POST", "/api/login", origin: "http://localhost:8080", site: "same-origin"))
        #expect(admits("POST", "/api/login", origin: "https://localhost:8080"))
        #expect(!admits("POST", "/api/login"))
        #expect(!admits("POST", "/api/login", origin: "http://evil.example"))
        #expect(!admits("POST", "/api/login", origin: "null"))
        #expect(!admits("GET", "/api/events", origin: "http://localhost:8081"))
    }

    @Test(
        "An address is an IP address with a port, a port, or the path of a socket.",
        arguments: [
            ("127.0.0.1:8080", "127.0.0.1:8080"), ("8080", "127.0.0.1:8080"), ("[::1]:0", "[::1]:0"),
            ("localhost:1", "127.0.0.1:1"), ("/run/page.sock", "/run/page.sock"), ("::1:8080", nil), ("a", nil),
            ("127.0.0.1:70000", nil), (":8080", nil), ("", nil),
        ] as [(String, String?)])
    func addresses(text: String, address: String?) {
        #expect(ListenAddress(text)?.description == address)
    }

    @Test("Settings that would show positions to others, or send the password in clear, are refused.")
    func settings() throws {
        func fault(
            _ listen: String, password: String? = nil, tls: Bool = false, proxy: Bool = false, names: [String] = []
        )
            throws -> String?
        {
            let settings = PageSettings(
                listen: try #require(ListenAddress(listen)), readSocket: "/r", controlSocket: nil, names: names,
                passwordFile: password, certificate: tls ? "/c" : nil, key: tls ? "/k" : nil, isBehindProxy: proxy)
            do throws(PageError) {
                try settings.check()
                return nil
            } catch {
                return error.description
            }
        }
        #expect(try fault("127.0.0.1:8080") == nil)
        #expect(try fault("/run/page.sock") == nil)
        #expect(try fault("0.0.0.0:8080")?.contains("Create a password") == true)
        #expect(try fault("0.0.0.0:8080", password: "/p")?.contains("unencrypted") == true)
        #expect(try fault("0.0.0.0:8080", password: "/p", proxy: true)?.contains("unencrypted") == true)
        #expect(try fault("0.0.0.0:8080", tls: true)?.contains("Create a password") == true)
        #expect(try fault("0.0.0.0:8080", password: "/p", tls: true) == nil)
        #expect(try fault("127.0.0.1:8080", proxy: true)?.contains("Create a password") == true)
        #expect(try fault("127.0.0.1:8080", names: ["van1.example"])?.contains("Create a password") == true)
        #expect(try fault("127.0.0.1:8080", password: "/p", proxy: true) == nil)
    }
}

@Suite("Logging in to the page")
struct LoginTests {
    private let start = Instant(seconds: 1000)

    @Test("The fifth wrong password causes a pause of 2 s, and each further one doubles it up to 15 minutes.")
    func delay() {
        var delay = LoginDelay()
        for _ in 0..<4 { delay.noteFailure(of: "a", at: start) }
        #expect(delay.pause(for: "a", at: start) == .zero)
        delay.noteFailure(of: "a", at: start)
        #expect(delay.pause(for: "a", at: start) == .seconds(2))
        #expect(delay.pause(for: "a", at: start + .seconds(2)) == .zero)
        #expect(delay.pause(for: "b", at: start) == .zero)
        delay.noteFailure(of: "a", at: start)
        #expect(delay.pause(for: "a", at: start) == .seconds(4))
        for _ in 0..<50 { delay.noteFailure(of: "a", at: start) }
        #expect(delay.pause(for: "a", at: start) == .seconds(900))
        delay.reset("a")
        #expect(delay.pause(for: "a", at: start) == .zero)
    }

    @Test("The list of wrong passwords does not grow without a bound.")
    func manyAddresses() {
        var delay = LoginDelay()
        for _ in 0..<6 { delay.noteFailure(of: "first", at: start) }
        for index in 0..<1000 { delay.noteFailure(of: "\(index)", at: start + .seconds(1)) }
        #expect(delay.pause(for: "first", at: start + .seconds(1)) == .zero)
    }

    @Test("A session ends after a week without use, at the log-out, or when 64 others are newer.")
    func sessions() {
        var sessions = Sessions()
        sessions.add("a", token: "t", at: start)
        #expect(sessions.token(of: "a", at: start + .seconds(6 * 86_400)) == "t")
        #expect(sessions.token(of: "a", at: start + .seconds(12 * 86_400)) == "t")
        #expect(sessions.token(of: "a", at: start + .seconds(20 * 86_400)) == nil)
        sessions.add("b", token: "u", at: start)
        sessions.remove("b")
        #expect(sessions.token(of: "b", at: start) == nil)
        sessions.add("c", token: "v", at: start)
        for index in 0..<Sessions.most { sessions.add("\(index)", token: "", at: start + .seconds(1)) }
        #expect(sessions.token(of: "c", at: start + .seconds(1)) == nil)
        #expect(sessions.token(of: nil, at: start) == nil)
    }
}
