import FoundationEssentials
import Glibc

/// This program.
enum Executable {
    /// The version.
    static let release = "0.1.0"

    /// The path of the program's file, with symbolic links resolved; the folders above it may contain board files.
    static var path: String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
    }

    /// Starts the program again in this process, with the same arguments; returns an error if the system refuses.
    ///
    /// The process keeps its process ID, so systemd does not see the restart. The system closes the descriptors that
    /// the program has opened with the flag `O_CLOEXEC`.
    static func restart() -> any Error {
        var arguments = CommandLine.arguments.map { strdup($0) } + [nil]
        execv("/proc/self/exe", &arguments)
        return RestartError(cause: String(cString: strerror(errno)))
    }
}

/// The program could not restart itself.
struct RestartError: Error, CustomStringConvertible {
    let cause: String

    var description: String { "trackerd cannot restart itself (\(cause)). Restart the service." }
}

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
