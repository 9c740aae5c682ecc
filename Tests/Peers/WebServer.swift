import Foundation

/// An HTTP server in a separate process, which records the requests.
package final class WebServer: Peer {
    package static let python = Child.find("python3")

    package let url: String
    private let host: String
    private let prefix: [String]
    package let port = freePort()
    private let scratch: Scratch
    private var child: Child?

    /// Makes a server for an address of this machine.
    ///
    /// `prefix` is a command that runs another command elsewhere, such as in a network namespace.
    package init(host: String = "127.0.0.1", prefix: [String] = []) throws {
        (self.host, self.prefix) = (host, prefix)
        scratch = try Scratch()
        url = "http://\(host):\(port)/pub"
        try behave(.good)
    }

    package var secureURL: String { "https://\(host):\(port)/pub" }

    package func start(denying: Bool) throws { try start(denying: denying, certificate: nil) }

    /// If `clientAuthority` is a file of authorities, the server accepts only clients whose certificate one of these
    /// authorities has signed.
    package func start(denying: Bool = false, certificate: Certificate? = nil, clientAuthority: String? = nil) throws {
        guard let python = Self.python else { throw PeerMissing(name: "python3") }
        let keys = (certificate.map { [$0.file, $0.key] } ?? []) + (clientAuthority.map { [$0] } ?? [])
        let words = [scratch.path, String(port), denying ? "deny" : "allow", host]
        let command = prefix + [python, "-c", Self.script] + words + keys
        let child = try Child(command[0], Array(command.dropFirst()))
        self.child = child
        guard child.listens(on: port, of: host) else { throw PeerMissing(name: "the web server") }
    }

    package func stop() {
        child?.kill()
        child = nil
    }

    package func behave(_ manner: Manner) throws { try answer(manner.rawValue) }

    /// `manner` is a status, such as `500`, or one of the words in `do_POST`.
    package func answer(_ manner: String) throws { try scratch.write(manner, to: "manner") }

    package var bodies: [String] { requests.map(\.body) }

    package var arrivals: [Double] { requests.map(\.time) }

    package struct Request: Decodable {
        package let path: String
        package let headers: [String: String]
        package let body: String
        package let connection: Int
        /// The length of the body before decompression.
        package let bytes: Int
        /// The time of arrival, in seconds since 1970.
        package let time: Double
        /// The length of the request line and the header lines, with the empty line after them.
        package let headBytes: Int
    }

    package var requests: [Request] {
        scratch.lines(of: "requests").compactMap { try? JSONDecoder().decode(Request.self, from: Data($0.utf8)) }
    }

    private static let script = #"""
        import gzip, http.server, json, socket, socketserver, ssl, struct, sys, time
        folder, port, allow = sys.argv[1], int(sys.argv[2]), sys.argv[3] == "allow"
        connections = 0

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def setup(self):
                global connections
                super().setup()
                connections += 1
                self.number = connections

            def do_GET(self): self.do_POST()

            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                wire = len(body)
                lines = [self.requestline] + [name + ": " + value for name, value in self.headers.items()] + [""]
                head = sum(len(line) + 2 for line in lines)
                manner = open(folder + "/manner").read()
                is_gzip = self.headers.get("Content-Encoding") == "gzip"
                if is_gzip: body = gzip.decompress(body)
                with open(folder + "/requests", "a") as log:
                    log.write(json.dumps({"path": self.path, "headers": dict(self.headers), "body": body.decode(),
                                          "connection": self.number, "bytes": wire, "headBytes": head,
                                          "time": time.time()}) + "\n")
                known = ("Basic bWU6c2VjcmV0", "Bearer s3same")
                if not allow and self.headers.get("Authorization") not in known: return self.reply(401)
                if manner == "good" and "/overland" in self.path: return self.reply(201, '{"result":"ok"}')
                if manner == "offer gzip": return self.reply(200, "[]", offer="br, gzip;q=0.5")
                if manner.startswith("no gzip "): return self.reply(int(manner.split()[-1]) if is_gzip else 200, "")
                if manner == "token":
                    is_known = self.headers.get("Authorization") == "Bearer s3same" and self.headers.get("X-Key") == "k3y"
                    return self.reply(200 if is_known else 401, "")
                if manner == "long head": return self.reply(200, "[]", offer="x" * 60000 + "\r\nX-More: " + "y" * 60000)
                if manner == "good": return self.reply(200, "[]")
                if manner == "mute": return time.sleep(600)
                if manner == "cut":
                    self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    self.connection.close()
                    self.close_connection = True
                    return
                if manner == "half": return self.reply(200, "[", length=2, close=True)
                if manner == "html": return self.reply(200, "<html>log in</html>", kind="text/html")
                if manner == "huge": return self.reply(200, "[" + " " * (2 << 20) + "]")
                if manner == "busy": return self.reply(429, "", after="7")
                if manner.startswith("busy at "):
                    date, after = manner[8:].split(" until ")
                    self.date_time_string = lambda *_: date
                    return self.reply(503, "", after=after)
                if manner == "moved": return self.reply(302, "", location="http://127.0.0.1:%d/other?key=hunter2" % port)
                if manner.startswith("first "):
                    with open(folder + "/requests") as log: count = len(log.readlines())
                    if count <= int(manner.split()[1]): return self.reply(200, "[]")
                    return time.sleep(600) if manner.endswith(" mute") else self.reply(500)
                if manner.startswith("refuse "):
                    _, status, words = manner.split(" ", 2)
                    return self.reply(int(status), words, kind="text/plain")
                if manner.startswith("body "): return self.reply(200, manner[5:])
                if manner.startswith("at most "):
                    count = len(json.loads(body)["features"])
                    return self.reply(413 if count > int(manner.split()[-1]) else 200, "")
                if manner.startswith("not "):
                    return self.reply(400 if manner[4:] in body.decode() else 200, "")
                self.reply(int(manner))

            def reply(self, status, text="", kind="application/json", length=None, close=False, after=None,
                      location=None, offer=None):
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(text) if length is None else length))
                if after: self.send_header("Retry-After", after)
                if location: self.send_header("Location", location)
                if offer: self.send_header("Accept-Encoding", offer)
                self.end_headers()
                try: self.wfile.write(text if isinstance(text, bytes) else text.encode())
                except OSError: close = True
                if close: self.close_connection = True

            def log_message(self, *_): pass

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True

            # The inherited method asks the name server for the name of this address.
            def server_bind(self):
                socketserver.TCPServer.server_bind(self)
                self.server_name, self.server_port = self.server_address

        server = Server((sys.argv[4], port), Handler)
        if len(sys.argv) > 5:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(sys.argv[5], sys.argv[6])
            if len(sys.argv) > 7:
                context.verify_mode = ssl.CERT_REQUIRED
                context.load_verify_locations(sys.argv[7])
            server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        server.serve_forever()
        """#
}
