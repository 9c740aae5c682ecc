internal import Formats
internal import Quantities
package import Tracking

/// Why an order is refused before it is stored.
package enum OrderError: Error, Sendable, Hashable, CustomStringConvertible {
    static let longestID = 64

    case malformed(String)
    /// The list of regions was fetched, but is unreadable.
    case regions(String)
    /// No server can ask for this, whatever the target permits.
    case neverRemote(String)
    case notPermitted(String, RemotePermission)
    case withoutID(String)
    /// OwnTracks' actions have no member for an ID.
    case actionInFile(String)
    case withoutExpiry(String)
    case withoutDevices(String)
    case notStored(String)
    case tooMany
    /// The message was retained, or too many arrived at once.
    case dropped

    package var description: String {
        switch self {
        case .malformed(let fault): "a message \(fault)"
        case .regions(let fault): "the list of regions \(fault)"
        case .neverRemote(let name): "`\(name.printable(limit: 60))` is not available to servers"
        case .notPermitted(let name, let permission):
            "`\(name.printable(limit: 60))` needs `control: [\(permission.rawValue)]` in the target"
        case .withoutID(let name):
            "`\(name.printable(limit: 60))` needs an `id` of 1 to \(Self.longestID) characters"
        case .actionInFile(let name):
            "OwnTracks' action `\(name.printable(limit: 60))` has no ID, so a file cannot contain it; write a request of docs/control.md"
        case .withoutExpiry(let name):
            "`\(name.printable(limit: 60))` needs `expires`, such as 2026-05-04T10:00:00Z or seconds since 1970"
        case .withoutDevices(let name):
            "`for` of `\(name.printable(limit: 60))` is not {\"devices\":[…]}"
        case .notStored(let reason): "trackerd cannot store an order: \(reason)"
        case .dropped: "a message was retained, or more than 32 messages arrived at once"
        case .tooMany: "more orders arrive than trackerd accepts: 20 at once, 1 per second, 100 per hour"
        }
    }
}
