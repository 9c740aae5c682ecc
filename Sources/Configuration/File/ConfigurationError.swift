import Glibc
import Quantities

package struct ConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
    package struct Problem: Sendable, Hashable, CustomStringConvertible {
        /// The file, or another source such as `environment` or `command line`.
        package let file: String
        /// The line, counted from 1; nil for the whole file, or if the source is no file.
        package let line: Int?
        package let text: String
        /// True if the user may want the setting in spite of the note; it has no meaning for errors.
        package var mayBeIntended = true

        package var description: String { "\(file)\(line.map { ":\($0)" } ?? ""): \(text)" }
    }

    /// The errors in the order of the file; at least one.
    package let problems: [Problem]

    package var description: String { problems.map(\.description).joined(separator: "\n") }
}

/// A path in the configuration at which trackerd creates a file.
package struct WrittenPath: Sendable, Hashable {
    let key: String
    let path: String
    /// The configuration file; `line` is the line of the key.
    let file: String
    let line: Int?

    /// The folders that systemd creates when the service starts (trackerd.service), for the service's user.
    private static let ofService = ["/var/lib/trackerd", "/run/trackerd"]

    package static func folder(of file: String) -> String {
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
