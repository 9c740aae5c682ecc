import Glibc

/// Variables of the environment by which libraries would send places elsewhere, or write down the keys of TLS.
///
/// Whoever started the program need not be its owner, and none of them shows in the configuration.
enum InheritedEnvironment {
    /// Takes them out of the environment, once; the names of those that were set.
    ///
    /// Must be asked for before the first thread starts.
    static let cleared: [String] = names.filter { name in
        guard getenv(name) != nil else { return false }
        unsetenv(name)
        return true
    }

    /// What to say of it in the log; nil when none was set.
    static var note: String? {
        guard !cleared.isEmpty else { return nil }
        let remedy =
            cleared.contains(where: proxies.contains) ? " To use a proxy, name it in its target: `proxy: …`." : ""
        return "The environment sets \(cleared.joined(separator: ", ")); trackerd ignores them.\(remedy)"
    }

    /// libcurl: the proxy.
    private static let proxies = [
        "http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY",
    ]

    private static let names =
        proxies + [
            // libcurl: a file for the keys of each connection.
            "SSLKEYLOGFILE",
            // OpenSSL: its configuration, code that it loads, and whom it believes.
            "OPENSSL_CONF", "OPENSSL_ENGINES", "OPENSSL_MODULES", "SSL_CERT_FILE", "SSL_CERT_DIR",
        ]
}
