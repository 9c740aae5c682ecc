package import Quantities

/// An order remains in the store until it has been carried out or refused.
package struct StoredOrder: Sendable, Hashable {
    package let key: Int64
    package let target: String
    /// 1 to 64 printable ASCII characters without spaces, unique for a target. trackerd makes it if `expires` is nil.
    package let id: String
    /// One JSON object.
    package let body: String
    /// Nil for an OwnTracks action and a list of regions, which state no time.
    package let expires: Timestamp?

    package init(key: Int64 = 0, target: String, id: String, body: String, expires: Timestamp?) {
        (self.key, self.target, self.id, self.body, self.expires) = (key, target, id, body, expires)
    }
}

package enum OrderAcceptance: Sendable, Hashable {
    case stored
    case known
    /// Too many orders wait, or the store remembers too many IDs.
    case full
}

package struct OrderReport: Sendable, Hashable, Codable {
    package var target: String
    /// As in `StoredOrder`.
    package var id: String
    /// The name of the request, such as `mode`.
    package var request: String
    package var isAccepted: Bool
    /// The result, or why the tracker has refused the order, in whole sentences.
    package var text: String
    /// The requested data as JSON; nil if the order requests none.
    package var data: String?

    package init(target: String, id: String, request: String, isAccepted: Bool, text: String, data: String? = nil) {
        (self.target, self.id, self.request, self.isAccepted) = (target, id, request, isAccepted)
        (self.text, self.data) = (text, data)
    }
}
