package import Quantities

/// A trip began, or ended with these figures.
package struct TripReport: Sendable, Hashable, Codable {
    /// Its number, counted from 1; nothing in an order to start one.
    package var number: Int?
    /// What somebody who started it calls it; nothing for a trip that began by itself.
    package var externalID: String?
    /// What they want to be kept with it, in the order of the keys.
    package var metadata: [Entry] = []
    /// What came of it; nothing at its start.
    package var summary: TripSummary?

    /// One line of metadata.
    package struct Entry: Sendable, Hashable, Codable {
        package var key: String
        package var value: String

        /// Makes a line.
        package init(key: String, value: String) {
            self.key = key
            self.value = value
        }
    }

    /// Makes a report.
    package init(
        number: Int? = nil, externalID: String? = nil, metadata: [Entry] = [], summary: TripSummary? = nil
    ) {
        self.number = number
        self.externalID = externalID
        self.metadata = metadata
        self.summary = summary
    }
}

/// The figures of a trip.
package struct TripSummary: Sendable, Hashable, Codable {
    /// Where it began; nothing when that was not known.
    package var start: Coordinate?
    /// Where it ended.
    package var end: Coordinate?
    /// When it began.
    package var started: Timestamp
    /// When it ended: when the vehicle came to rest.
    package var ended: Timestamp
    /// Metres driven.
    package var distance = Metres.zero
    /// Time in which the vehicle was on its way.
    package var moving = Duration.zero
    /// Time in which it stood within the trip.
    package var idle = Duration.zero
    /// Time without a fix.
    package var withoutFix = Duration.zero
    /// The highest speed.
    package var topSpeed: MetresPerSecond?
    /// Records of the track.
    package var records = 0
    /// Stops that were too short to split it.
    package var stops = 0

    /// Makes a summary with nothing in it yet.
    package init(start: Coordinate?, started: Timestamp) {
        self.start = start
        self.started = started
        ended = started
    }
}
