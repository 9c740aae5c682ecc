import Glibc
import Quantities

/// A path in the configuration at which trackerd creates a file.
package struct WrittenPath: Sendable, Hashable {
    let key: String
    let path: String
    /// The file of the configuration, and the line of the key.
    let file: String
    let line: Int?

    /// The folders that systemd creates when the service starts (trackerd.service), for the service's user.
    private static let ofService = ["/var/lib/trackerd", "/run/trackerd"]

    static func folder(of file: String) -> String {
        guard let slash = file.lastIndex(of: "/") else { return "." }
        return slash == file.startIndex ? "/" : String(file[..<slash])
    }

    /// With `inSandbox`, a folder that this process sees as read-only may be writable for the daemon.
    func problem(inSandbox: Bool = false) -> ConfigurationError.Problem? {
        let folder = Self.folder(of: path)
        guard !Self.ofService.contains(folder), faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS) != 0 else {
            return nil
        }
        let (code, shown) = (errno, folder.printable())
        guard !(inSandbox && code == EROFS) else { return nil }
        let fault =
            code == ENOENT
            ? "the folder \(shown) does not exist. Create the folder, or write another path."
            : "trackerd cannot write to the folder \(shown) (\(String(cString: strerror(code)))). Make the user of the service its owner, or write another path."
        return .init(file: file, line: line, text: "`\(key)`: \(fault)")
    }
}
