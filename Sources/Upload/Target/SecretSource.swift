internal import FoundationEssentials
internal import Quantities

/// Code that prints, interpolates or dumps the value shows a placeholder.
package struct Secret: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The password itself, for the call that sends it.
    package let revealed: String

    package init(_ password: String) { revealed = password }

    package var description: String { "(secret)" }
    package var debugDescription: String { description }
    /// An empty mirror, because `dump` must not show the password.
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// The source of a secret: the configuration itself, or a file, which trackerd reads each time that it needs the secret.
package enum SecretSource: Sendable, Hashable {
    case text(Secret)
    /// The path of a file whose first line is the secret.
    case file(String)

    package init(_ text: String) { self = .text(Secret(text)) }

    package var file: String? {
        switch self {
        case .text: nil
        case .file(let path): path
        }
    }

    /// Returns the present secret; empty for an empty file.
    package func read() throws(SecretError) -> Secret {
        switch self {
        case .text(let secret): return secret
        case .file(let path):
            guard let data = FileManager.default.contents(atPath: path), data.count <= Self.longest_bytes else {
                throw SecretError(file: path)
            }
            let text = String(decoding: data, as: UTF8.self)
            return Secret(String(text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).first ?? ""))
        }
    }

    /// The maximum size of the file of a secret; even a signed token has only a few kilobytes.
    private static let longest_bytes = 65_536
}

package struct SecretError: Error, Sendable, Hashable, CustomStringConvertible {
    package let file: String

    /// The error as a clause of a sentence.
    package var description: String { "the secret in \(file.printable()) cannot be read" }
}
