/// A password: usable where it is needed, and nowhere else readable by accident.
///
/// Whatever prints, interpolates or dumps it gets a placeholder.
package struct Secret: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The password itself, for the call that sends it.
    package let revealed: String

    /// Wraps a password.
    package init(_ password: String) { revealed = password }

    /// A placeholder.
    package var description: String { "(secret)" }
    /// A placeholder.
    package var debugDescription: String { description }
    /// Nothing to look into.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
