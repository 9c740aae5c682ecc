import Foundation
import Peers
import Testing

@Suite("A proxy", .enabled(if: WebServer.python != nil && Certificate.openssl != nil, "python3 or openssl is missing"))
struct ProxyTests {
    private let proxy: ScriptServer
    private let server: WebServer
    private let scratch: Scratch
    private let certificate: Certificate

    init() throws {
        proxy = try ScriptServer(Self.script)
        server = try WebServer()
        scratch = try Scratch()
        certificate = try Certificate(for: "127.0.0.1", in: scratch)
    }

    @Test("The program ignores a proxy in the environment, and writes TLS keys to no file.")
    func environment() throws {
        let plain = try WebServer()
        try plain.start(denying: false)
        try server.start(certificate: certificate)
        let vehicle = try Vehicle(targets: [
            "{name: plain, url: \"\(plain.url)\"}",
            "{name: secure, url: \"\(server.secureURL)\", caFile: \"\(certificate.file)\"}",
        ])
        let keys = scratch.path + "/keys"
        let address = "http://127.0.0.1:\(proxy.port)"
        let daemon = try vehicle.start(environment: [
            "http_proxy": address, "https_proxy": address, "HTTPS_PROXY": address, "ALL_PROXY": address,
            "all_proxy": address, "no_proxy": "", "SSLKEYLOGFILE": keys,
        ])
        #expect(eventually { !plain.requests.isEmpty && !server.requests.isEmpty || !proxy.notes.isEmpty })
        #expect(proxy.notes.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: keys))
        #expect(daemon.logged.contains("trackerd ignores these environment variables: http_proxy, "))
        #expect(daemon.endInTime() == 0)
    }

    @Test(
        "A target's proxy gets all requests to the target; the proxy's password appears nowhere else.",
        arguments: ["http", "https"])
    func named(scheme: String) throws {
        try server.start(certificate: certificate)
        let isSecure = scheme == "https"
        let proxy = isSecure ? try ScriptServer(Self.script, arguments: [certificate.file, certificate.key]) : proxy
        let vehicle = try Vehicle(targets: [
            """
            {name: secure, url: "\(server.secureURL)", caFile: "\(certificate.file)", \
            proxy: "\(scheme)://fleet:p%40ss@127.0.0.1:\(proxy.port)", username: me, password: secret}
            """
        ])
        let daemon = try vehicle.start(["--log-level", "trace"])
        #expect(eventually { !server.requests.isEmpty })
        #expect(server.requests.allSatisfy { $0.headers["Authorization"] == "Basic bWU6c2VjcmV0" })
        #expect(server.requests.allSatisfy { $0.headers["Proxy-Authorization"] == nil })
        // Basic authentication of `fleet:p@ss`.
        #expect(proxy.notes.first == "CONNECT 127.0.0.1:\(server.port) Basic ZmxlZXQ6cEBzcw==")
        let shown = try ["doctor", "config check"].map { command in
            let words = command.split(separator: " ").map(String.init)
            let (text, errors, _) = try Daemon.output(
                words + (command == "doctor" ? ["--config"] : []) + [vehicle.config])
            return text + errors
        }
        #expect(shown[0].contains("secure: 127.0.0.1 through the proxy 127.0.0.1 answered a GET with status 200"))
        for text in shown + [daemon.logged] { #expect(!text.contains("p%40ss") && !text.contains("p@ss")) }
        #expect(daemon.endInTime() == 0)
    }

    @Test("A target with a `caFile` sends nothing through an `https` proxy whose certificate is not trusted.")
    func distrusted() throws {
        try server.start(certificate: certificate)
        let other = try Certificate(for: "proxy.example", in: scratch)
        let proxy = try ScriptServer(Self.script, arguments: [other.file, other.key])
        let vehicle = try Vehicle(targets: [
            """
            {name: secure, url: "\(server.secureURL)", caFile: "\(certificate.file)", \
            proxy: "https://127.0.0.1:\(proxy.port)"}
            """
        ])
        let daemon = try vehicle.start()
        #expect(eventually { daemon.logged.contains("secure: uploads are failing") }, "\(daemon.logged)")
        #expect(daemon.logged.contains("is not trusted"), "\(daemon.logged)")
        #expect(proxy.notes.isEmpty && server.requests.isEmpty)
        #expect(daemon.endInTime() == 0)
    }

    @Test("A `socks5h` proxy gets the server's name, with user and password, and resolves the name.")
    func socks() throws {
        let name = "track.example.net"
        let own = try Certificate(for: name, in: scratch)
        try server.start(certificate: own)
        let proxy = try ScriptServer(Self.socksScript)
        let vehicle = try Vehicle(targets: [
            """
            {name: secure, url: "https://\(name):\(server.port)/pub", caFile: "\(own.file)", \
            proxy: "socks5h://fleet:p%40ss@127.0.0.1:\(proxy.port)"}
            """
        ])
        let daemon = try vehicle.start(["--log-level", "trace"])
        #expect(eventually { !server.requests.isEmpty }, "\(daemon.logged)")
        #expect(proxy.notes.first == "\(name):\(server.port) fleet p@ss")
        #expect(!daemon.logged.contains("p%40ss") && !daemon.logged.contains("p@ss"))
        #expect(daemon.endInTime() == 0)
    }

    @Test("The log names a proxy that does not answer as the cause.")
    func missing() throws {
        let vehicle = try Vehicle(targets: [
            "{name: home, url: \"https://track.example.net\", proxy: \"http://127.0.0.1:\(freePort())\"}"
        ])
        let daemon = try vehicle.start()
        #expect(eventually { daemon.logged.contains("home: ") })
        #expect(daemon.logged.contains("the proxy 127.0.0.1 is unreachable, or no server listens there"))
        #expect(daemon.endInTime() == 0)
    }

    @Test(
        "The log and the doctor name a proxy that refuses the connection as the cause.",
        .enabled(if: WebServer.python != nil, "not installed: python3"),
        arguments: [
            (
                "407 Proxy Authentication Required",
                "rejects the credentials (status 407); correct the user and the password"
            ),
            ("403 Forbidden", "refuses the connection to track.example.net (status 403)"),
        ])
    func refuses(status: String, words: String) throws {
        let script = #"""
            import socket, sys
            listener = socket.create_server(("127.0.0.1", int(sys.argv[1])))
            while True:
                client = listener.accept()[0]
                while not client.recv(65536).endswith(b"\r\n\r\n"): pass
                client.sendall(("HTTP/1.1 " + sys.argv[2] + "\r\nContent-Length: 0\r\n\r\n").encode())
                client.close()
            """#
        let port = freePort()
        let proxy = try Child(try #require(WebServer.python), ["-c", script, "\(port)", status])
        defer { proxy.kill() }
        let vehicle = try Vehicle(targets: [
            "{name: home, url: \"https://track.example.net\", proxy: \"http://me:hunter2@127.0.0.1:\(port)\"}"
        ])
        let daemon = try vehicle.start()
        #expect(eventually { daemon.logged.contains("the proxy 127.0.0.1 \(words)") }, "\(daemon.logged)")
        #expect(try vehicle.run("doctor").text.contains("home: the proxy 127.0.0.1 \(words)"))
        #expect(daemon.endInTime() == 0)
    }

    @Test(
        "An unusable proxy is an error with its line and the remedy.",
        arguments: [
            ("https://track.example.net", "track.example.net", "is not of the form scheme://host:port"),
            ("https://track.example.net", "http://me:hunter2@proxy", "is not of the form scheme://host:port"),
            ("https://track.example.net", "ftp://proxy:21", "is not of the form scheme://host:port"),
            ("mqtts://track.example.net", "http://proxy:3128", "cannot be used with MQTT"),
        ])
    func refused(url: String, address: String, words: String) throws {
        let vehicle = try Vehicle(targets: ["url: \(url)\n    proxy: \(address)"])
        let (_, errors, status) = try Daemon.output(["config", "check", vehicle.config])
        #expect(status != 0)
        #expect(errors.contains("config.yaml:7: upload target `target1`: `proxy` \(words)"))
        #expect(!errors.contains("hunter2"))
    }

    /// Opens the tunnel that a CONNECT request asks for, and records the request.
    ///
    /// With a certificate and its key, the proxy uses TLS.
    private static let script =
        relay + #"""
            def serve(client):
                if words:
                    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
                    context.load_cert_chain(words[0], words[1])
                    client = context.wrap_socket(client, server_side=True)
                head = b""
                while not head.endswith(b"\r\n\r\n"):
                    data = client.recv(1)
                    if not data: return
                    head += data
                lines = head.decode().split("\r\n")
                login = [line.split(": ")[1] for line in lines if line.lower().startswith("proxy-authorization: ")]
                note(" ".join(lines[0].split()[:2] + login))
                host, _, number = lines[0].split()[1].rpartition(":")
                upstream = socket.create_connection((host, int(number)))
                client.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
                relay(client, upstream)

            listen(serve)
            """#

    /// Opens the tunnel that a client of SOCKS 5 requests (RFC 1928, RFC 1929); each name has the address 127.0.0.1.
    private static let socksScript =
        relay + #"""
            def exactly(client, count): return client.recv(count, socket.MSG_WAITALL)

            def serve(client):
                exactly(client, exactly(client, 2)[1])
                client.sendall(b"\x05\x02")
                user = exactly(client, exactly(client, 2)[1]).decode()
                password = exactly(client, exactly(client, 1)[0]).decode()
                client.sendall(b"\x01\x00")
                _, command, _, kind = exactly(client, 4)
                if (command, kind) != (1, 3): return note("the request contains no name")
                host = exactly(client, exactly(client, 1)[0]).decode()
                number, = struct.unpack(">H", exactly(client, 2))
                note("%s:%d %s %s" % (host, number, user, password))
                upstream = socket.create_connection(("127.0.0.1", number))
                client.sendall(b"\x05\x00\x00\x01" + bytes(6))
                relay(client, upstream)

            listen(serve)
            """#

    /// Accepts clients, and copies data between a client and a server.
    private static let relay = #"""
        import select

        def relay(client, upstream):
            while True:
                buffered = isinstance(client, ssl.SSLSocket) and client.pending() > 0
                for source in [client] if buffered else select.select([client, upstream], [], [])[0]:
                    data = source.recv(65536)
                    if not data: return
                    (upstream if source is client else client).sendall(data)

        def guarded(serve, client):
            try: serve(client)
            except OSError: pass
            client.close()

        def listen(serve):
            listener = socket.create_server(("127.0.0.1", port))
            ready()
            while True: threading.Thread(target=guarded, args=(serve, listener.accept()[0]), daemon=True).start()


        """#
}
