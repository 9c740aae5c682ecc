package import Quantities
package import Tracking

/// What the database knows of a span of time.
package struct History: Sendable, Hashable {
    /// Something that was decided or refused.
    package struct Entry: Sendable, Hashable {
        /// UTC of the first time within a minute.
        package let time: Timestamp
        /// Whether `time` goes back to GPS or to a time server.
        package let isTimeTrusted: Bool
        /// What it is about: a subject of a decision, or one of `DecisionLog.Subject`.
        package let subject: String
        /// What was decided, or the reason of a refusal, or the name of a state.
        package let text: String
        /// How often within a minute.
        package let count: Int
    }

    /// The state that the vehicle was in when the span began.
    package struct Standing: Sendable, Hashable {
        /// Whether it moved.
        package let isMoving: Bool
        /// Since when.
        package let since: Timestamp
    }

    /// From when until when anything is known at all; nothing when nothing is.
    package let known: ClosedRange<Timestamp>?
    /// The state at the beginning of the span; nothing when that is not known.
    package let standing: Standing?
    /// In order of time.
    package let entries: [Entry]
    /// In order of time.
    package let records: [StoredRecord]
}
