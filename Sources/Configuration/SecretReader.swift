import FoundationEssentials
import Glibc
import Quantities
import Upload
import Yams

/// Reads a text, or a mapping with `file`, `credential` (of systemd) or `environment`. Notes secrets that other users
/// can read, or that are probably a mistake.
final class SecretReader {
    private let file: String
    private let variables: [String: String]
    private let mustBeReadable: Bool
    /// The faults since the last call of `takeMissing`, each with its file.
    private var missing: [(fault: String, file: String?)] = []
    /// The notes, which contain no secrets.
    private(set) var notes: [ConfigurationError.Problem] = []

    init(file: String, variables: [String: String], mustBeReadable: Bool) {
        self.file = file
        self.variables = variables
        self.mustBeReadable = mustBeReadable
    }

    /// Returns what is missing for the target that was read last; nil if the target is complete.
    func takeMissing() -> MissingSecret? {
        defer { missing = [] }
        guard !missing.isEmpty else { return nil }
        let files = missing.map(\.file)
        return MissingSecret(
            reason: missing.map(\.fault).joined(separator: "; "),
            files: files.contains(nil) ? nil : files.compactMap(\.self))
    }

    /// Notes that `path` must become readable, or reports an error if `mustBeReadable` is true. `path` is nil if the value
    /// cannot appear while the program runs.
    func noteMissing(_ fault: String, _ node: Node, path: String?, _ problems: ProblemList) {
        guard !mustBeReadable else { return problems.add("\(fault).", at: node) }
        missing.append((fault, path))
        note("\(fault). The target waits until trackerd can read this value.", node, mayBeIntended: false)
    }

    func isIncomplete(_ path: String?, _ fault: String, _ node: Node, _ problems: ProblemList) -> Bool {
        guard !mustBeReadable, path != nil || !missing.isEmpty else { return false }
        if let path { noteMissing(fault, node, path: path, problems) }
        return true
    }

    func readable(_ key: String, _ reader: inout MappingReader) -> String? {
        guard let path = reader.string(key), let node = reader.child(key) else { return nil }
        // Unlike access(2), this checks the rights of the effective user.
        if faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) != 0 {
            let fault = reader.fault(key, node, "a file that trackerd can read")
            noteMissing(fault, node, path: path, reader.problems)
        }
        return path
    }

    func secret(_ key: String, _ reader: inout MappingReader) -> SecretSource? {
        guard let node = reader.child(key), node.mapping != nil else {
            guard let text = reader.string(key), let node = reader.child(key) else { return nil }
            noteText(text, key: reader.full(key), node)
            return SecretSource(text)
        }
        let (name, problems) = (reader.full(key), reader.problems)
        return reader.mapping(key) { part in
            let sources = [fileSource(&part), credential(&part), variable(&part)]
            let given = ["file", "credential", "environment"].count { part.child($0) != nil }
            guard given == 1 else {
                problems.add(
                    "`\(name)` needs one of `file`, `credential` and `environment`. Write exactly one.", at: node)
                return nil
            }
            return sources.compactMap { $0 }.first
        }
    }

    /// Reads a secret under a key such as `password`, or in the file that `passwordFile` names; reports an error if both are
    /// set.
    func secretOrFile(_ key: String, _ reader: inout MappingReader) -> SecretSource? {
        let direct = secret(key, &reader)
        guard let node = reader.child("\(key)File") else { return direct }
        if reader.child(key) != nil {
            reader.problems.add("`\(key)File` and `\(key)` are both set. Keep one of them.", at: node)
        }
        return fileSource(&reader, key: "\(key)File")
    }

    func text(_ key: String, _ reader: inout MappingReader) -> String? {
        guard let node = reader.child(key), node.mapping != nil else { return reader.string(key) }
        guard let text = secret(key, &reader).flatMap({ (try? $0.read())?.revealed }) else { return nil }
        return text.isEmpty && !missing.isEmpty ? nil : text
    }

    /// Reads the path of a secret, as in `passwordFile: PATH`.
    func fileSource(_ part: inout MappingReader, key: String = "file") -> SecretSource? {
        guard let path = part.string(key), let node = part.child(key) else { return nil }
        return source(
            path, of: key, node, part, expected: "a file that trackerd can read",
            empty: "the first line of \(path.printable()) is empty. Write the secret there.")
    }

    /// Reads the name of a credential that systemd passes (systemd.exec(5), `LoadCredential=`).
    private func credential(_ part: inout MappingReader) -> SecretSource? {
        guard let name = part.name("credential"), let node = part.child("credential") else { return nil }
        guard !name.contains("/"), ![".", ".."].contains(name) else {
            return part.wrong("credential", node, "the name of a credential, without `/`")
        }
        guard let folder = variables["CREDENTIALS_DIRECTORY"] else {
            noteMissing(
                "`\(part.full("credential"))`: systemd passes no credentials to this program. Run trackerd as the service, "
                    + "with `LoadCredential=\(name):FILE` in the unit", node, path: nil, part.problems)
            return SecretSource("")
        }
        return source(
            "\(folder)/\(name)", of: "credential", node, part,
            expected: "a credential that the unit passes with `LoadCredential=`",
            empty: """
                the first line of the credential `\(name)` is empty. Write the secret into the file that `LoadCredential=` \
                in the unit names, and restart trackerd.
                """)
    }

    private func variable(_ part: inout MappingReader) -> SecretSource? {
        guard let name = part.name("environment"), let node = part.child("environment") else { return nil }
        guard let text = variables[name], !text.isEmpty else {
            let fault = part.fault("environment", node, "the name of an environment variable that is set")
            noteMissing(fault, node, path: nil, part.problems)
            return SecretSource("")
        }
        return SecretSource(text)
    }

    private func source(
        _ path: String, of key: String, _ node: Node, _ reader: MappingReader, expected: String, empty: String
    ) -> SecretSource? {
        let source = SecretSource.file(path)
        guard let secret = try? source.read() else {
            noteMissing(reader.fault(key, node, expected), node, path: path, reader.problems)
            return source
        }
        if secret.revealed.isEmpty {
            note("`\(reader.full(key))`: \(empty)", node, mayBeIntended: false)
        }
        notePermissions(of: path, "`\(reader.full(key))`: ", node)
        return source
    }

    private func noteText(_ text: String, key: String, _ node: Node) {
        if text.contains("${") || text.hasPrefix("$") {
            note(
                "`\(key)` begins with `$` or contains `${`, but trackerd does not expand variables here. To use a variable, write "
                    + "`{environment: NAME}`.", node)
        }
        notePermissions(of: file, "`\(key)` is a secret in this file, but ", node)
    }

    func notePermissions(of path: String, _ subject: String, _ node: Node) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IROTH != 0 else { return }
        let name = path.printable()
        note(
            "\(subject)the mode of \(name) lets every user of this computer read it. Run `sudo chmod o-rwx \(name)`.",
            node)
    }

    private func note(_ text: String, _ node: Node, mayBeIntended: Bool = true) {
        notes.append(.init(file: file, line: node.mark?.line, text: text, mayBeIntended: mayBeIntended))
    }
}
