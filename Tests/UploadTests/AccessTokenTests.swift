@testable import Formats
import Foundation
import Peers
import Quantities
import Testing
@testable import Upload

@Suite("Access tokens of OAuth 2", .enabled(if: WebServer.python != nil, "python3 is missing: apt install python3"))
struct AccessTokenTests {
    private let server: ScriptServer
    private let scratch: Scratch

    init() throws {
        server = try ScriptServer(Self.script)
        scratch = try Scratch()
    }

    @Test("A token is obtained with the client's credentials, used until it expires, and renewed without an error.")
    func client() throws {
        var driver = try driver(
            TokenEndpoint(url: url("/token?uses=3"), clientID: "van 1", clientSecret: SecretSource("p:w")))
        for id in 1...3 {
            driver.send(id)
            #expect(driver.verdicts(1) == [id: .delivered])
        }
        #expect(server.notes == ["token client_credentials van%201 p%3Aw", "record t1", "record t1", "record t1"])
        // The server has forgotten the token, so trackerd sends the same record again with a new token.
        driver.send(4)
        #expect(driver.verdicts(1) == [4: .delivered])
        #expect(
            server.notes.dropFirst(4) == ["record t1 rejected", "token client_credentials van%201 p%3Aw", "record t2"])
    }

    @Test("A token that expires at once is renewed before each request.")
    func expiry() throws {
        var driver = try driver(
            TokenEndpoint(url: url("/token?lifetime=0"), clientID: "van 1", clientSecret: SecretSource("p:w")))
        for id in 1...2 {
            driver.send(id)
            #expect(driver.verdicts(1) == [id: .delivered])
        }
        #expect(server.notes.filter { $0.hasPrefix("token") }.count == 2)
    }

    @Test("A refresh token that the server replaces is written to the token's file, which keeps its permissions.")
    func refresh() throws {
        let file = scratch.path + "/refresh"
        try scratch.write("r0\n", to: "refresh")
        chmod(file, 0o600)
        let endpoint = TokenEndpoint(url: url("/token"), clientID: "van1", refreshToken: .file(file))
        var driver = try driver(endpoint)
        driver.send(1)
        #expect(driver.verdicts(1) == [1: .delivered])
        #expect(server.notes.first == "token refresh_token r0 van1")
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "r1\n")
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
        var second = try self.driver(endpoint)
        second.send(2)
        #expect(second.verdicts(1) == [2: .delivered])
        #expect(server.notes.contains("token refresh_token r1 van1"))
    }

    @Test("The report names a token server that rejects the client, and no record is sent.")
    func rejected() throws {
        var driver = try driver(
            TokenEndpoint(url: url("/token?reject=1"), clientID: "van 1", clientSecret: SecretSource("p:w")))
        driver.send(1)
        #expect(
            driver.verdicts(1) == [
                1: .unauthorised(reason: "127.0.0.1 issues no token (status 401); check the keys of `token`")
            ])
        #expect(!server.notes.contains { $0.hasPrefix("record") })
    }

    @Test("The probe of the doctor obtains a token with the client's credentials, and sends it with its GET.")
    func probe() throws {
        let endpoint = TokenEndpoint(url: url("/token"), clientID: "van 1", clientSecret: SecretSource("p:w"))
        guard case .answered(.plausible(status: 200), _) = try outcome(endpoint) else {
            Issue.record("\(try outcome(endpoint))")
            return
        }
        #expect(server.notes == ["token client_credentials van%201 p%3Aw", "get t1"])
    }

    @Test("The probe of the doctor reports a token server that rejects the client.")
    func rejectedProbe() throws {
        let endpoint = TokenEndpoint(
            url: url("/token?reject=1"), clientID: "van 1", clientSecret: SecretSource("p:w"))
        #expect(try outcome(endpoint) == .unidentified("127.0.0.1 issues no token (status 401)"))
    }

    @Test("The probe of the doctor uses no refresh token, and does not report the missing token as a fault.")
    func refreshProbe() throws {
        try scratch.write("r0\n", to: "refresh")
        let endpoint = TokenEndpoint(
            url: url("/token"), clientID: "van1", refreshToken: .file(scratch.path + "/refresh"))
        guard case .answered(.plausible(status: 401), _) = try outcome(endpoint) else {
            Issue.record("\(try outcome(endpoint))")
            return
        }
        #expect(!server.notes.contains { $0.hasPrefix("token") })
    }

    private func outcome(_ endpoint: TokenEndpoint) throws -> TargetProbe.Outcome {
        TargetProbe(now: { Instant.boot }).reach(
            try UploadTarget(
                name: "home", url: url("/pub"), format: "owntracks", user: "fleet", device: "van1",
                access: TargetAccess(tokenEndpoint: endpoint)))
    }

    private func url(_ path: String) -> String { "http://127.0.0.1:\(server.port)\(path)" }

    private func driver(_ endpoint: TokenEndpoint) throws -> Driver {
        try Driver(
            try UploadTarget(
                name: "home", url: url("/pub"), format: "owntracks", user: "fleet", device: "van1",
                access: TargetAccess(tokenEndpoint: endpoint)))
    }

    private static let script = #"""
        import base64, http.server, json, urllib.parse
        state = {"token": 0, "refresh": 0}

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                login = self.headers.get("Authorization", "")
                if self.path.startswith("/token"):
                    fields = dict(urllib.parse.parse_qsl(body))
                    words = [fields["grant_type"]]
                    if "refresh_token" in fields: words += [fields["refresh_token"], fields["client_id"]]
                    if login: words += base64.b64decode(login.split()[1]).decode().split(":")
                    note(" ".join(["token"] + words))
                    if "reject" in self.path: return self.reply(401, {"error": "invalid_client"})
                    state["token"] += 1
                    state["uses"] = 3 if "uses=3" in self.path else -1
                    state["known"] = "t%d" % state["token"]
                    answer = {"access_token": state["known"], "token_type": "Bearer",
                              "expires_in": 0 if "lifetime=0" in self.path else 3600}
                    if "refresh_token" in fields:
                        if fields["refresh_token"] != "r%d" % state["refresh"]: return self.reply(400, {})
                        state["refresh"] += 1
                        answer["refresh_token"] = "r%d" % state["refresh"]
                    return self.reply(200, answer)
                is_known = state.get("known") and login == "Bearer " + state["known"]
                note("record " + login.split()[-1] + ("" if is_known else " rejected"))
                state["uses"] -= 1
                if state["uses"] == 0: state["known"] = None
                self.reply(200 if is_known else 401, [])

            def do_GET(self):
                login = self.headers.get("Authorization", "")
                is_known = state.get("known") and login == "Bearer " + state["known"]
                note("get " + login.split()[-1] if login else "get")
                self.reply(200 if is_known else 401, [])

            def reply(self, status, value):
                text = json.dumps(value).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            def log_message(self, *_): pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
        ready()
        server.serve_forever()
        """#
}
