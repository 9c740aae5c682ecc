import Foundation

/// A real nginx that answers uploads with `[]`: over plain HTTP, over TLS, and over TLS with client certificates.
package final class Nginx {
    package static let program = Child.find("nginx")

    package let plain = freePort()
    package let secure = freePort()
    /// The port that accepts only clients with a certificate.
    package let closed = freePort()
    private let scratch: Scratch
    private var child: Child?

    /// Starts nginx with this certificate; clients of the port `closed` need a certificate that `clientAuthority` has signed.
    ///
    /// On the other two ports, `/orders/` serves the files that `serve` wrote. `/pub` accepts everything, `/login` only the
    /// user `me` with the password `secret`, `/small` only bodies of up to 10 bytes. `/moved` redirects, and `/busy` answers
    /// 503.
    package init(_ certificate: Certificate, clientAuthority: String) throws {
        guard let program = Self.program else { throw PeerMissing(name: "nginx") }
        scratch = try Scratch()
        try scratch.write("me:{PLAIN}secret\n", to: "users")
        let folder = scratch.path
        let keys = "ssl_certificate \(certificate.file); ssl_certificate_key \(certificate.key);"
        // Only root may use the folders for temporary files that Debian's nginx creates when it starts.
        let folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        let temporary = folders.map { "\($0)_temp_path \(folder)/\($0);" }.joined(separator: " ")
        let user = geteuid() == 0 ? "user root;" : ""
        let rules = """
            daemon off; pid \(folder)/pid; error_log \(folder)/errors error; \(user)
            events {}
            http {
              log_format all '$server_port $request_method $uri $status $server_protocol $ssl_client_verify $http_content_encoding';
              access_log \(folder)/log all; \(temporary)
              default_type application/json;
              server {
                listen 127.0.0.1:\(plain);
                listen 127.0.0.1:\(secure) ssl http2;
                \(keys)
                location /orders/ { root \(folder); }
                location /pub { return 200 "[]"; }
                location /login { auth_basic fleet; auth_basic_user_file \(folder)/users; try_files /none @accept; }
                location @accept { return 200 "[]"; }
                location /small { client_max_body_size 10; proxy_pass http://127.0.0.1:\(plain)/pub; }
                location /moved { return 308 https://new.example/pub?key=hunter2; }
                location /busy { return 503; }
              }
              server {
                listen 127.0.0.1:\(closed) ssl;
                \(keys)
                ssl_client_certificate \(clientAuthority); ssl_verify_client on;
                location / { return 200 "[]"; }
              }
            }
            """
        try scratch.write(rules, to: "conf")
        let child = try Child(program, ["-c", "\(folder)/conf", "-e", "\(folder)/errors"])
        self.child = child
        for port in [plain, secure, closed] where !child.listens(on: port) {
            throw PeerMissing(name: "nginx (\(scratch.lines(of: "errors").last ?? "no error"))")
        }
    }

    deinit {
        // After SIGTERM, nginx also ends its worker processes; if nginx is killed, they continue.
        child?.signal(SIGTERM)
        child?.wait()
    }

    package func stop() {
        child?.signal(SIGTERM)
        child?.wait()
        child = nil
    }

    /// nginx serves the text as `/orders/NAME`.
    package func serve(_ text: String, as name: String) throws {
        let folder = scratch.path + "/orders"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
    }

    /// The requests: port, method, path, status, protocol, verdict on the client certificate, and coding.
    package var requests: [[Substring]] { scratch.lines(of: "log").map { $0.split(separator: " ") } }
}
