import FoundationEssentials
import Glibc

enum Executable {
    static let release = "0.1.0"

    /// The path of the program with links resolved; the folders above it may have board files.
    static var path: String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
    }

    /// Runs the program again with the same arguments and process ID, so that systemd sees no restart; descriptors
    /// with `O_CLOEXEC` are closed. Returns only if the system refuses.
    static func restart() -> any Error {
        var arguments = CommandLine.arguments.map { strdup($0) } + [nil]
        execv("/proc/self/exe", &arguments)
        let cause = String(cString: strerror(errno))
        return CommandError("trackerd cannot restart itself (\(cause)). Restart the service.")
    }
}

/// Variables that would make libraries send positions elsewhere, or write TLS keys to a file; the owner may not know them,
/// since the configuration does not show them.
enum InheritedEnvironment {
    /// The variables that were set; the first access removes them, except those for proxies. Use this before the
    /// first thread starts.
    static let cleared: [String] = names.filter { name in
        guard getenv(name) != nil else { return false }
        // Each connection sets its proxy itself, and a target may use one of these variables for that.
        if !proxies.contains(name) { unsetenv(name) }
        return true
    }

    static var note: String? {
        guard !cleared.isEmpty else { return nil }
        let remedy =
            cleared.contains(where: proxies.contains)
            ? " To use a proxy, set `proxy` in the target: `proxy: {environment: https_proxy}`." : ""
        return "trackerd ignores these environment variables: \(cleared.joined(separator: ", ")).\(remedy)"
    }

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
