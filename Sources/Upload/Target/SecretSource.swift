internal import FoundationEssentials
internal import Quantities

/// Printing, interpolating or dumping a secret shows only a placeholder.
package struct Secret: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The secret itself, only for the call that sends it.
    package let revealed: String

    package init(_ password: String) { revealed = password }

    package var description: String { "(secret)" }
    package var debugDescription: String { description }
    /// `dump` must not show the secret.
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// A text, or a file that is read each time the secret is needed.
package enum SecretSource: Sendable, Hashable {
    case text(Secret)
    /// The secret is the file's first line.
    case file(String)

    package init(_ text: String) { self = .text(Secret(text)) }

    package var file: String? {
        switch self {
        case .text: nil
        case .file(let path): path
        }
    }

    /// The secret is empty if the file's first line is.
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

    /// The limit of a secret; even a signed token has only a few kilobytes.
    private static let longest_bytes = 65_536
}

package struct SecretError: Error, Sendable, Hashable, CustomStringConvertible {
    package let file: String

    /// The reason as a clause of a sentence.
    package var description: String { "the secret in \(file.printable()) cannot be read" }
}
