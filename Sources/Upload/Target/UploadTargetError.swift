import Quantities

/// A target that cannot be used as it is written down.
package struct UploadTargetError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The target's name.
    package let target: String
    /// The key at fault.
    package let key: String
    /// What is wrong with it; never quotes a secret.
    package let fault: String
    /// What to write instead.
    package let remedy: String

    /// The whole sentence.
    package var description: String { "upload target `\(target.printable())`: `\(key)` \(fault). \(remedy)" }
}
