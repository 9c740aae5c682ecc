package import Quantities

/// The start of a trip, or the end of a trip with its figures.
package struct TripReport: Sendable, Hashable, Codable {
    /// The number of the trip, counted from 1; nil in a command that starts a trip.
    package var number: Int?
    /// The identifier from the command that started the trip; nil without a command, and if the command contained none.
    package var externalID: String?
    /// The metadata from the command that started the trip, ordered by key.
    package var metadata: [Entry] = []
    /// The figures; nil at the start of the trip.
    package var summary: TripSummary?

    /// One key of the metadata with its value.
    package struct Entry: Sendable, Hashable, Codable {
        package var key: String
        package var value: String

        package init(key: String, value: String) {
            self.key = key
            self.value = value
        }
    }

    package init(
        number: Int? = nil, externalID: String? = nil, metadata: [Entry] = [], summary: TripSummary? = nil
    ) {
        self.number = number
        self.externalID = externalID
        self.metadata = metadata
        self.summary = summary
    }
}

package struct TripSummary: Sendable, Hashable, Codable {
    /// Where the trip began; nil if the position was unknown.
    package var start: Coordinate?
    /// Where the trip ended; nil if the position was unknown.
    package var end: Coordinate?
    /// When the trip began.
    package var started: Timestamp
    /// When the trip ended: the time at which the vehicle came to rest, or the time of the command that ended the trip.
    package var ended: Timestamp
    package var distance = Metres.zero
    /// Time in which the vehicle moved.
    package var moving = Duration.zero
    /// Time in which the vehicle stood during the trip.
    package var idle = Duration.zero
    /// Time without a fix.
    package var withoutFix = Duration.zero
    /// The highest speed of the fixes that prove movement; nil without such a fix.
    package var topSpeed: MetresPerSecond?
    /// Number of track points.
    package var records = 0
    /// Number of stops that were too short to split the trip.
    package var stops = 0

    package init(start: Coordinate?, started: Timestamp) {
        self.start = start
        self.started = started
        ended = started
    }
}
