import Glibc

/// The environment variables that would make libraries send positions to another place, or write TLS keys to a file.
///
/// The owner may not know these variables, because the configuration does not show them.
enum InheritedEnvironment {
    /// The names of the variables that were set; the first access removes them from the environment, except the variables for
    /// proxies.
    ///
    /// Read this property before the first thread starts.
    static let cleared: [String] = names.filter { name in
        guard getenv(name) != nil else { return false }
        // Each connection sets its proxy itself, so these variables have no effect. A target may use one of them as its proxy.
        if !proxies.contains(name) { unsetenv(name) }
        return true
    }

    /// The note for the log; nil if none of the variables was set.
    static var note: String? {
        guard !cleared.isEmpty else { return nil }
        let remedy =
            cleared.contains(where: proxies.contains)
            ? " To use a proxy, set `proxy` in the target: `proxy: {environment: https_proxy}`." : ""
        return "trackerd ignores these environment variables: \(cleared.joined(separator: ", ")).\(remedy)"
    }

    /// libcurl reads the proxy from these variables.
    private static let proxies = [
        "http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY",
    ]

    private static let names =
        proxies + [
            // libcurl would write the keys of each connection to this file.
            "SSLKEYLOGFILE",
            // OpenSSL would take its configuration, code to load and trusted certificates from these paths.
            "OPENSSL_CONF", "OPENSSL_ENGINES", "OPENSSL_MODULES", "SSL_CERT_FILE", "SSL_CERT_DIR",
        ]
}
