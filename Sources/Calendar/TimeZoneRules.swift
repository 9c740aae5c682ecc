package import Quantities

// The rules come from the files of the tz database (RFC 9636), because the core of trackerd must not import Foundation.

package struct TimeZoneRules: Sendable, Hashable {
    /// `time` is in seconds since 1970.
    struct Transition: Sendable, Hashable {
        let time: Int64
        let offset: Int64
    }

    struct Span: Sendable, Hashable {
        /// Seconds east of UTC.
        let offset: Int64
        /// Seconds since 1970; nil if the offset never changes again.
        let end: Int64?
    }

    private let initialOffset: Int64
    private let transitions: [Transition]
    private let rule: YearlyRule?

    package static let utc = TimeZoneRules(initialOffset: 0, transitions: [], rule: nil)

    init(initialOffset: Int64, transitions: [Transition], rule: YearlyRule?) {
        self.initialOffset = initialOffset
        self.transitions = transitions
        self.rule = rule
    }

    /// Reads a rule such as `CET-1CEST,M3.5.0,M10.5.0/3`; nil if the text is not such a rule.
    package init?(posix text: String) {
        guard let rule = YearlyRule(text.utf8) else { return nil }
        self.init(initialOffset: 0, transitions: [], rule: rule)
    }

    package func offset(at moment: Timestamp) -> Duration { .seconds(span(at: moment.seconds).offset) }

    /// The time on the wall clock, to the second.
    package func local(at moment: Timestamp) -> CivilTime {
        CivilTime(secondsSince1970: moment.seconds + span(at: moment.seconds).offset)
    }

    func span(at second: Int64) -> Span {
        let later = firstTransition(after: second)
        if later < transitions.count {
            let offset = later == 0 ? initialOffset : transitions[later - 1].offset
            return Span(offset: offset, end: transitions[later].time)
        }
        return rule?.span(at: second) ?? Span(offset: transitions.last?.offset ?? initialOffset, end: nil)
    }

    private func firstTransition(after second: Int64) -> Int {
        var (low, high) = (0, transitions.count)
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle].time <= second { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
