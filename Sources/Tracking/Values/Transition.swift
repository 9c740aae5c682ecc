package import Quantities

/// A region or a beacon was entered or left.
package struct Transition: Sendable, Hashable, Codable {
    /// Which way.
    package enum Direction: String, Sendable, Hashable, Codable {
        case enter
        case leave
        /// It has been inside for as long as the region asks for.
        case dwell
    }

    /// What told of it.
    package enum Trigger: String, Sendable, Hashable, Codable {
        /// The border of an area.
        case area
        /// The signal of a beacon.
        case beacon
    }

    /// Which way.
    package var direction: Direction
    /// What told of it.
    package var trigger: Trigger
    /// Which region.
    package var region: RegionName
    /// What the region is called in messages; nothing when it has no description.
    package var text: String?
    /// When the region was defined: the key by which OwnTracks knows it.
    package var defined: Timestamp
    /// How long the vehicle was inside, when it leaves and that is known.
    package var inside: Duration?

    /// Makes a transition.
    package init(
        _ direction: Direction, by trigger: Trigger, of region: RegionName, text: String?, defined: Timestamp,
        inside: Duration? = nil
    ) {
        self.direction = direction
        self.trigger = trigger
        self.region = region
        self.text = text
        self.defined = defined
        self.inside = inside
    }
}

/// What a region is known by.
package struct RegionName: Sendable, Hashable, Codable {
    /// The key that does not change.
    package var id: String
    /// What people call it.
    package var name: String

    /// Makes a name.
    package init(id: String, name: String) {
        self.id = id
        self.name = name
    }
}
