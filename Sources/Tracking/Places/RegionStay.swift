package import Quantities

/// The vehicle is in a region: what survives a restart.
package struct RegionStay: Sendable, Hashable, Codable {
    /// The key of the region.
    package let id: String
    /// When it was entered.
    package let entered: Timestamp
    /// Whether it has been told that the vehicle dwells there.
    package internal(set) var hasDwelt: Bool

    /// Makes a stay.
    package init(id: String, entered: Timestamp, hasDwelt: Bool = false) {
        self.id = id
        self.entered = entered
        self.hasDwelt = hasDwelt
    }
}
