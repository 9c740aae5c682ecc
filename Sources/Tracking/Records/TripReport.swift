package import Quantities

/// The start of a trip, or its end with the figures.
package struct TripReport: Sendable, Hashable, Codable {
    /// Counted from 1; nil in a command that starts a trip.
    package var number: Int?
    /// The ID in the command that started the trip; nil without one, or if it contained none.
    package var externalID: String?
    /// The metadata in the command that started the trip, ordered by key.
    package var metadata: [Entry] = []
    /// Nil at the start of the trip.
    package var summary: TripSummary?

    package struct Entry: Sendable, Hashable, Codable {
        package var key: String
        package var value: String

        package init(key: String, value: String) {
            self.key = key
            self.value = value
        }
    }

    package init(number: Int? = nil, externalID: String? = nil, metadata: [Entry] = [], summary: TripSummary? = nil) {
        self.number = number
        self.externalID = externalID
        self.metadata = metadata
        self.summary = summary
    }
}

package struct TripSummary: Sendable, Hashable, Codable {
    package var start: Coordinate?
    package var end: Coordinate?
    package var started: Timestamp
    /// When the vehicle came to rest, or when a command ended the trip.
    package var ended: Timestamp
    package var distance = Metres.zero
    package var moving = Duration.zero
    package var idle = Duration.zero
    package var withoutFix = Duration.zero
    /// Only fixes that prove movement count; nil without such a fix.
    package var topSpeed: MetresPerSecond?
    package var records = 0
    /// The number of stops that were too short to split the trip.
    package var stops = 0

    package init(start: Coordinate?, started: Timestamp) {
        self.start = start
        self.started = started
        ended = started
    }
}
