/// A target as a format sees it: the names that its messages contain.
package struct Sender: Sendable, Hashable {
    /// The name of the target.
    package let target: String
    /// The user to whom the records belong.
    package let user: String
    /// The device to which the records belong.
    package let device: String
    /// OwnTracks' short name of the device, one or two characters.
    package let trackerID: String
    /// The base of the target's topics.
    package let topic: String
    /// Path and query of the target's address.
    package let path: String
    /// Whether the target accepts orders of its server.
    package let acceptsOrders: Bool

    package init(
        target: String, user: String, device: String, trackerID: String, topic: String, path: String,
        acceptsOrders: Bool
    ) {
        (self.target, self.user, self.device, self.trackerID) = (target, user, device, trackerID)
        (self.topic, self.path, self.acceptsOrders) = (topic, path, acceptsOrders)
    }
}
