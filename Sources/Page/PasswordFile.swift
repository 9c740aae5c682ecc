import CSodium
import Glibc

package struct PasswordFile: Sendable {
    private let hash: [CChar]

    /// Throws also if other users can read the file, or if it has no hash.
    package init(path: String) throws(PasswordFileError) {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw .unreadable(path: path, cause: String(cString: strerror(errno))) }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & 0o077 == 0 || Self.isCredential(path) else {
            throw .open(path: path)
        }
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = read(file, &bytes, bytes.count)
        let line = bytes.prefix(max(0, count)).prefix { $0 > 32 && $0 < 127 }
        guard line.starts(with: "$argon2id$".utf8), line.count < CSODIUM_HASH_BYTES else { throw .wrong(path: path) }
        hash = line.map { CChar(bitPattern: $0) } + [0]
    }

    /// Writes the hash to a file that only its owner can read.
    package static func write(_ password: [UInt8], to path: String) throws(PasswordFileError) {
        guard password.count >= shortest else { throw .short }
        var hash = [CChar](repeating: 0, count: CSODIUM_HASH_BYTES)
        let isHashed = password.withUnsafeBytes { bytes in
            csodium_hash_password(&hash, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
        }
        guard isHashed else { throw .unreadable(path: path, cause: "not enough memory") }
        let text = hash.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) } + [10]
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw .unreadable(path: path, cause: String(cString: strerror(errno))) }
        defer { close(file) }
        guard fchmod(file, 0o600) == 0, Glibc.write(file, text, text.count) == text.count, fsync(file) == 0 else {
            throw .unreadable(path: path, cause: String(cString: strerror(errno)))
        }
    }

    /// systemd sets an access control list for a credential, which the file's mode shows as rights of the group.
    private static func isCredential(_ path: String) -> Bool {
        guard let folder = getenv("CREDENTIALS_DIRECTORY").map({ String(cString: $0) }), !folder.isEmpty else {
            return false
        }
        return path.hasPrefix(folder + "/") && !path.contains("/../")
    }

    /// In bytes.
    package static let shortest = 10

    /// Takes about 0.1 s on purpose.
    func accepts(_ password: String) -> Bool {
        let bytes = Array(password.utf8).map { CChar(bitPattern: $0) }
        return csodium_is_password(hash, bytes, bytes.count)
    }
}

package enum PasswordFileError: Error, CustomStringConvertible {
    case unreadable(path: String, cause: String)
    case open(path: String)
    case wrong(path: String)
    case short

    package var description: String {
        switch self {
        case .unreadable(let path, let cause):
            "\(path): trackerd-page cannot read or write the password file (\(cause)). Check the folder and the permissions, or create the file with `trackerd-page set-password \(path)`."
        case .open(let path): "\(path): other users can read the password's hash. Run `chmod 600 \(path)`."
        case .wrong(let path):
            "\(path): the file does not contain the hash of a password. Create the file with `trackerd-page set-password \(path)`."
        case .short: "The password has fewer than \(PasswordFile.shortest) characters. Choose a longer one."
        }
    }
}
