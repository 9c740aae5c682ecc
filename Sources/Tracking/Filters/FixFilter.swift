package import Quantities

/// Lets only those reports through that can be believed.
struct FixFilter: Sendable, Hashable {
    /// What became of a report.
    enum Verdict: Sendable, Hashable {
        case accepted(AcceptedFix)
        case refused(FixRejection)
    }

    /// No vehicle of ours gathers speed faster; it is 1.5 times what the best tyres hold.
    private static let strongest = Acceleration(15)
    /// The week number of GPS has 10 bits: a receiver that has lost count is wrong by as much.
    private static let rollover = Duration.seconds(1024 * 7 * 86_400)
    /// A solution of fewer satellites is not over-determined, so nothing vouches for it when the receiver states no error.
    private static let fewestSatellites = 4
    /// So many reports in a row that contradict the last accepted one, but not each other, show that *it* was wrong.
    private static let overruling = 3
    /// Reports that contradict the last place by more than this must agree for `lasting` before they overrule it.
    private static let longJump = Metres(1000)
    /// The same for dates that contradict the last one by more than this.
    private static let longStep = Duration.seconds(60)
    private static let lasting = Duration.seconds(10)
    /// A date this far ahead of the last good one is a receiver's mistake, unless it goes on saying so for `lastingLonger`.
    private static let farAhead = Duration.seconds(400 * 86_400)
    /// The same for the first date of all: a program may be older than its installation.
    private static let farAheadOfRelease = Duration.seconds(5 * 366 * 86_400)
    private static let lastingLonger = Duration.seconds(60)
    /// A place whose latitude or longitude is exactly 0 is believed only this near the last one: it is what programs make
    /// of a number that they cannot read.
    private static let nearZero = Metres(1000)
    /// After a pause longer than this, such as a cold start or a tunnel, the first fixes of a receiver may be wild.
    private static let pause = Duration.seconds(10)
    /// After such a pause a fix that lies farther than this from the last place needs a second one that agrees.
    private static let farAway = Metres(250)

    /// What the dates of two reports may differ by from the time between them: reports wait in buffers for a second or two,
    /// and a crystal in the cold is wrong by some ten millionths.
    private static func tolerance(over span: Duration) -> Duration { .seconds(10) + span / 10_000 }

    /// A report, and the moment at which it came if that is known.
    private struct Heard: Sendable, Hashable {
        var fix: AcceptedFix
        var moment: Instant?

        /// The time since an earlier one.
        func age(since earlier: Heard) -> Duration {
            guard let moment, let before = earlier.moment else { return fix.time - earlier.fix.time }
            return moment - before
        }
    }

    /// Why a report is not believed at once, and what must agree with it before it is.
    private struct Doubt: Sendable, Hashable {
        var refusal: FixRejection
        var reports = FixFilter.overruling
        var span = Duration.zero
    }

    /// Reports that agree with each other.
    private struct Doubted: Sendable, Hashable {
        var first: Heard
        var last: Heard
        var count = 1
    }

    private let notBefore: Timestamp
    private var last: Heard?
    private var doubted: Doubted?
    /// Whether the fix that was accepted last lies where no vehicle could have come from the one before.
    private(set) var hasJumped = false

    /// Believes dates from `notBefore` on, up to where the week numbers of GPS begin anew.
    init(notBefore: Timestamp = ReleaseDate.earliest, last: AcceptedFix?) {
        self.notBefore = notBefore
        self.last = last.map { Heard(fix: $0) }
    }

    /// Judges a report; one with a larger error than `accuracyLimit` is refused.
    mutating func judge(_ fix: Fix, accuracyLimit: Metres, at moment: Instant? = nil) -> Verdict {
        guard fix.mode >= .twoDimensional, let accepted = AcceptedFix(fix) else { return .refused(.noFix) }
        if let refusal = Self.isVouchedFor(fix) ? reasonAlone(accepted, fix, accuracyLimit) : .unknownAccuracy {
            return .refused(refusal)
        }
        let candidate = Heard(fix: accepted, moment: moment)
        guard let doubt = doubt(candidate) else { return accept(candidate) }
        let agreeing = agreement(with: candidate)
        doubted = agreeing
        guard agreeing.count >= doubt.reports, candidate.age(since: agreeing.first) >= doubt.span else {
            return .refused(doubt.refusal)
        }
        return accept(candidate, isJump: doubt.refusal == .jump)
    }

    private func agreement(with candidate: Heard) -> Doubted {
        guard var agreeing = doubted, Self.contradiction(of: candidate, with: agreeing.last) == nil else {
            return Doubted(first: candidate, last: candidate)
        }
        agreeing.last = candidate
        agreeing.count += 1
        return agreeing
    }

    /// Why a report is not believed at once; nil if it is.
    private func doubt(_ candidate: Heard) -> Doubt? {
        guard let last else {
            let isFarAhead = candidate.fix.time > max(notBefore, ReleaseDate.current) + Self.farAheadOfRelease
            return Doubt(refusal: .unconfirmed, reports: 2, span: isFarAhead ? Self.lastingLonger : .zero)
        }
        let (now, before) = (candidate.fix, last.fix)
        let step = now.time - before.time
        let expected = last.moment == nil || candidate.moment == nil ? .zero : candidate.age(since: last)
        if step - expected > Self.farAhead { return Doubt(refusal: .timeStep, span: Self.lastingLonger) }
        let distance = now.coordinate.distance(to: before.coordinate)
        switch Self.contradiction(of: candidate, with: last) {
        case .jump?: return Doubt(refusal: .jump, span: distance > Self.longJump ? Self.lasting : .zero)
        case let refusal?:
            let isLong = (step - expected).magnitude > Self.longStep
            return Doubt(refusal: refusal, span: isLong ? Self.lasting : .zero)
        case nil:
            let isFar = now.position.isProvablyAway(from: before.position, by: Self.farAway)
            return isFar && step > Self.pause ? Doubt(refusal: .unconfirmed, reports: 2) : nil
        }
    }

    private mutating func accept(_ candidate: Heard, isJump: Bool = false) -> Verdict {
        last = candidate
        doubted = nil
        hasJumped = isJump
        return .accepted(candidate.fix)
    }

    private func reasonAlone(_ candidate: AcceptedFix, _ fix: Fix, _ accuracyLimit: Metres) -> FixRejection? {
        if fix.isTooFast { return .tooFast }
        if candidate.time < notBefore { return .tooOld }
        if candidate.time > notBefore + Self.rollover { return .tooNew }
        if isNullIsland(candidate.coordinate) { return .nullIsland }
        return (candidate.position.accuracy ?? .zero) <= accuracyLimit ? nil : .inaccurate
    }

    private func isNullIsland(_ place: Coordinate) -> Bool {
        guard place.latitude == 0 || place.longitude == 0 else { return false }
        let isBoth = place.latitude == 0 && place.longitude == 0
        return isBoth || last.map { $0.fix.coordinate.distance(to: place) > Self.nearZero } ?? true
    }

    /// Whether the receiver states its error, or used enough satellites; a three-dimensional fix needs that many.
    private static func isVouchedFor(_ fix: Fix) -> Bool {
        if fix.accuracy != nil { return true }
        return fix.satellites.map { $0 >= fewestSatellites } ?? (fix.mode == .threeDimensional)
    }

    /// Why `candidate` cannot come after `earlier`; nothing when it can.
    private static func contradiction(of later: Heard, with before: Heard) -> FixRejection? {
        let (candidate, earlier) = (later.fix, before.fix)
        let step = candidate.time - earlier.time
        guard step > .zero else { return .notNewer }
        if let now = later.moment, let then = before.moment, step - (now - then) > tolerance(over: now - then) {
            return .timeStep
        }
        let elapsed = step.inSeconds
        let errors =
            (candidate.position.accuracy ?? Position.usualError) + (earlier.position.accuracy ?? Position.usualError)
        let slack = errors.value
        let distance = earlier.coordinate.distance(to: candidate.coordinate).value - slack
        let gained = (earlier.position.speed?.value).map { $0 * elapsed + strongest.value * elapsed * elapsed / 2 }
        return distance > min(Fix.fastest.value * elapsed, gained ?? .infinity) ? .jump : nil
    }
}

/// Why a report of the receiver was not used.
package enum FixRejection: String, Sendable, Hashable, CaseIterable, Codable {
    /// The receiver has no two-dimensional position, or no time.
    case noFix
    /// The horizontal error is above `accuracyLimit`.
    case inaccurate
    /// The horizontal error is unknown and fewer than 4 satellites are used.
    case unknownAccuracy
    /// Not newer than the last one.
    case notNewer
    /// Later than the last one by more than the time between them.
    case timeStep
    /// Farther from the last place than any vehicle could have come.
    case jump
    /// Latitude and longitude are both 0, or one of them is exactly 0 far from the last place.
    case nullIsland
    /// A speed that no vehicle reaches.
    case tooFast
    /// Far from the last place after a pause, or the very first: it waits for a second one that agrees.
    case unconfirmed
    /// Dated before 2020, or before this program was written.
    case tooOld
    /// Dated later than the week numbers of GPS can tell: a receiver that has lost count.
    case tooNew
}

/// The dates before which no fix can have been taken.
///
/// A receiver that has lost count of the weeks reports dates 1024 weeks too early; what is older than the program itself
/// gives it away (GPS interface specification IS-GPS-200, 20.3.3.3.1.1: the week number has 10 bits).
package enum ReleaseDate {
    /// For recordings: receivers without an almanac, and boards without a clock, report dates long past.
    package static let earliest = Timestamp(year: 2020, month: 1, day: 1)
    /// For a receiver in the vehicle: this version was not written before.
    package static let current = Timestamp(year: 2026, month: 1, day: 1)
}
