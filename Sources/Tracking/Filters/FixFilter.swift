package import Quantities

struct FixFilter: Sendable, Hashable {
    enum Verdict: Sendable, Hashable {
        case accepted(AcceptedFix)
        case refused(FixRejection)
    }

    /// The longest time in seconds between two fixes whose places can deny a speed.
    private static let longestNeighbour = 5.0
    private static let manyDenials = 3
    /// In a step of at most this time, the speeds at its ends, or that of the step before, can explain the distance.
    private static let explained = Duration.seconds(90)
    /// A vehicle without a stated speed may drive faster than in the step before by this factor.
    private static let faster = 1.5
    /// The strongest acceleration: 1.5 times what the best tyres can transfer.
    private static let strongest = Acceleration(15)
    /// The week number has 10 bits, so the dates of a receiver that misses a rollover are off by this span.
    private static let rollover = Duration.seconds(1024 * 7 * 86_400)
    /// With fewer satellites a receiver cannot compute three coordinates and the time, so it must state its error. A
    /// count of 0 means that the receiver does not report the number, as without GSA sentences.
    private static let fewestSatellites = 4
    /// If this number of fixes contradict the last accepted one but agree with each other, that one was wrong.
    private static let overruling = 3
    /// If fixes are farther than this from the last position, they must agree for `lasting`.
    private static let longJump = Metres(1000)
    /// If dates are farther than this from the expected one, fixes must agree for `lasting`.
    private static let longStep = Duration.seconds(60)
    private static let lasting = Duration.seconds(10)
    /// A date this far ahead of the expected one is an error of the receiver, unless such dates last for `lastingLonger`.
    private static let farAhead = Duration.seconds(400 * 86_400)
    /// The same limit for the very first date, counted from the release, because the program may run for the first time
    /// years later.
    private static let farAheadOfRelease = Duration.seconds(5 * 366 * 86_400)
    private static let lastingLonger = Duration.seconds(60)
    /// How near the last position must be to a fix with one coordinate of 0, as some programs report unparsable numbers.
    private static let nearZero = Metres(1000)
    /// After such a pause (cold start, tunnel) the first fixes may be wrong.
    private static let pause = Duration.seconds(10)
    /// If a fix after a `pause` is farther than this from the last position, a second one must agree.
    private static let farAway = Metres(250)
    /// If the vehicle was slower than this before a pause of less than `minutes`, fixes beyond `longJump` must agree
    /// for `lasting`.
    private static let slow = MetresPerSecond(2)
    private static let minutes = Duration.seconds(600)

    /// The largest difference between the interval of two dates and that of their arrivals. Fixes wait in buffers for a
    /// second or two, and a cold crystal is off by some tens of parts per million.
    private static func tolerance(over span: Duration) -> Duration {
        leastTolerance + .nanoseconds(span.nanoseconds / 10_000)
    }
    private static let leastTolerance = Duration.seconds(10)

    /// A fix with the `moment` of its arrival, which is nil if unknown.
    private struct Heard: Sendable, Hashable {
        let time: Timestamp
        let place: Coordinate
        let accuracy: Metres?
        /// Nil also if the places deny it.
        var speed: MetresPerSecond?
        let moment: Instant?

        init(_ fix: AcceptedFix, at moment: Instant? = nil) {
            (time, place, self.moment) = (fix.time, fix.coordinate, moment)
            (accuracy, speed) = (fix.position.accuracy, fix.position.speed)
        }

        /// Compares the arrivals if both are known, and otherwise the dates.
        func age(since earlier: Heard) -> Duration {
            guard let moment, let before = earlier.moment else { return time - earlier.time }
            return moment - before
        }
    }

    /// Why a fix is in doubt, how many fixes must agree, and over which time.
    private struct Doubt: Sendable, Hashable {
        var refusal: FixRejection
        var reports = FixFilter.overruling
        var span = Duration.zero
    }

    private struct Doubted: Sendable, Hashable {
        var first: Heard
        var last: Heard
        var count = 1
    }

    private let notBefore: Timestamp
    private var last: Heard?
    private var doubted: Doubted?
    /// Each speed that is too small for the places adds 1, up to `manyDenials`; each other one subtracts 1, down to 0.
    private var denials = 0
    /// The average speed in m/s over the last step of at most `explained`, if the receiver reports no speed; otherwise 0.
    private var pace = 0.0
    /// True if the last accepted fix is farther from the one before than any vehicle could have driven.
    private(set) var hasJumped = false

    /// Accepts dates from `notBefore` until 1024 weeks later, the period of the GPS week number.
    init(notBefore: Timestamp = ReleaseDate.earliest, last: AcceptedFix?) {
        self.notBefore = notBefore
        self.last = last.map { Heard($0) }
    }

    /// If the receiver repeated its last place in spite of a speed, `heldSince` is the date of the first such report.
    mutating func judge(
        _ fix: Fix, accuracyLimit: Metres, heldSince: Timestamp? = nil, at moment: Instant? = nil
    ) -> Verdict {
        guard fix.hasPlace else { return .refused(.noFix) }
        guard var accepted = AcceptedFix(fix) else { return .refused(.noDate) }
        if let refusal = Self.isVouchedFor(fix) ? reasonAlone(accepted, fix, accuracyLimit) : .unknownAccuracy {
            return .refused(refusal)
        }
        var candidate = Heard(accepted, at: moment)
        if isDenied(candidate, heldSince: heldSince) { (candidate.speed, accepted) = (nil, accepted.withoutSpeed) }
        guard let doubt = doubt(candidate, heldSince: heldSince) else {
            accept(candidate)
            return .accepted(accepted)
        }
        let agreeing = agreement(with: candidate)
        doubted = agreeing
        guard agreeing.count >= doubt.reports, candidate.age(since: agreeing.first) >= doubt.span else {
            return .refused(doubt.refusal)
        }
        accept(candidate, isJump: doubt.refusal == .jump)
        return .accepted(accepted)
    }

    /// Whether the places deny the speed of the candidate, even at the strongest acceleration since the last fix. Every
    /// speed is denied while `denials` has reached `manyDenials`, because some programs write 0 for an unknown speed.
    private mutating func isDenied(_ candidate: Heard, heldSince: Timestamp?) -> Bool {
        // In a series of doubted fixes, the last of them is nearer in time than the last accepted one.
        guard let last = doubted?.last ?? last, let speed = candidate.speed?.value,
            heldSince.map({ $0 >= last.time }) ?? true
        else { return false }
        let elapsed = (candidate.time - last.time).inSeconds
        guard elapsed > 0, elapsed <= Self.longestNeighbour else { return denials >= Self.manyDenials }
        let distance = last.place.distance(to: candidate.place).value
        // The rules for a frozen receiver handle a place that is repeated in spite of a speed.
        guard distance > Fix.onePlace.value else { return false }
        let slack = ((candidate.accuracy ?? Position.usualError) + (last.accuracy ?? Position.usualError)).value
        let change = Self.strongest.value * elapsed / 2
        let isTooSlow =
            distance - slack > (max(speed, last.speed?.value ?? 0) + 1) * elapsed
            && distance < Fix.fastest.value * elapsed
        denials = isTooSlow ? min(denials + 1, Self.manyDenials) : max(denials - 1, 0)
        return denials >= Self.manyDenials || speed > (distance + slack) / elapsed + change
            || speed < (distance - slack) / elapsed - change
    }

    private func agreement(with candidate: Heard) -> Doubted {
        guard var agreeing = doubted, Self.contradiction(of: candidate, with: agreeing.last) == nil else {
            return Doubted(first: candidate, last: candidate)
        }
        agreeing.last = candidate
        agreeing.count += 1
        return agreeing
    }

    /// Nil if the fix is accepted at once.
    private func doubt(_ candidate: Heard, heldSince: Timestamp?) -> Doubt? {
        guard let last else {
            let isFarAhead = candidate.time > max(notBefore, ReleaseDate.current) + Self.farAheadOfRelease
            return Doubt(refusal: .unconfirmed, reports: 2, span: isFarAhead ? Self.lastingLonger : .zero)
        }
        let step = candidate.time - last.time
        let expected = last.moment == nil || candidate.moment == nil ? .zero : candidate.age(since: last)
        if step - expected > Self.farAhead { return Doubt(refusal: .timeStep, span: Self.lastingLonger) }
        func isLong() -> Bool { candidate.place.distance(to: last.place) > Self.longJump }
        switch Self.contradiction(of: candidate, with: last, heldSince: heldSince) {
        case .jump?: return Doubt(refusal: .jump, span: isLong() ? Self.lasting : .zero)
        case let refusal?:
            let isLong = (step - expected).magnitude > Self.longStep
            return Doubt(refusal: refusal, span: isLong ? Self.lasting : .zero)
        case nil:
            let errors = (candidate.accuracy ?? .zero) + (last.accuracy ?? .zero)
            guard step > Self.pause, last.place.distance(to: candidate.place) > Self.farAway + errors else {
                return nil
            }
            let fastest = max(last.speed?.value ?? 0, candidate.speed?.value ?? 0, pace * Self.faster)
            let way = last.place.distance(to: candidate.place) - errors
            if step <= Self.explained, way.value <= fastest * step.inSeconds { return nil }
            let wasStanding = step < Self.minutes && last.speed.map { $0 < Self.slow } ?? false
            let isStrange = wasStanding && isLong()
            return Doubt(refusal: .unconfirmed, reports: 2, span: isStrange ? Self.lasting : .zero)
        }
    }

    /// True if the last doubted fix came within `explained`, so that another may still confirm it.
    func isDoubting(at now: Instant) -> Bool {
        doubted?.last.moment.map { now - $0 <= Self.explained } ?? false
    }

    private mutating func accept(_ candidate: Heard, isJump: Bool = false) {
        pace = 0
        if candidate.speed == nil, let before = doubted?.first ?? last, candidate.time - before.time <= Self.explained {
            let span = (candidate.time - before.time).inSeconds
            if span > 1 { pace = before.place.distance(to: candidate.place).value / span }
        }
        (last, doubted, hasJumped) = (candidate, nil, isJump)
    }

    private func reasonAlone(_ candidate: AcceptedFix, _ fix: Fix, _ accuracyLimit: Metres) -> FixRejection? {
        if candidate.time < notBefore { return .tooOld }
        if candidate.time > notBefore + Self.rollover { return .tooNew }
        if isNullIsland(candidate.coordinate) { return .nullIsland }
        return (candidate.position.accuracy ?? .zero) <= accuracyLimit ? nil : .inaccurate
    }

    private func isNullIsland(_ place: Coordinate) -> Bool {
        guard place.latitude == 0 || place.longitude == 0 else { return false }
        let isBoth = place.latitude == 0 && place.longitude == 0
        return isBoth || last.map { $0.place.distance(to: place) > Self.nearZero } ?? true
    }

    /// Many receivers report neither accuracy nor satellites; such a fix counts with `Position.usualError`.
    private static func isVouchedFor(_ fix: Fix) -> Bool {
        guard fix.accuracy == nil, let satellites = fix.satellites else { return true }
        return satellites == 0 || satellites >= fewestSatellites
    }

    /// Nil if `later` can follow `before`.
    private static func contradiction(
        of later: Heard, with before: Heard, heldSince: Timestamp? = nil
    ) -> FixRejection? {
        let step = later.time - before.time
        guard step > .zero else { return .notNewer }
        if let now = later.moment, let then = before.moment {
            let ahead = step - (now - then)
            if ahead > leastTolerance, ahead > tolerance(over: now - then) { return .timeStep }
        }
        let elapsed = (later.time - min(heldSince ?? before.time, before.time)).inSeconds
        let slack = (later.accuracy ?? Position.usualError) + (before.accuracy ?? Position.usualError)
        let distance = (before.place.distance(to: later.place) - slack).value
        let gained = (before.speed?.value).map { $0 * elapsed + strongest.value * elapsed * elapsed / 2 }
        return distance > min(Fix.fastest.value * elapsed, gained ?? .infinity) ? .jump : nil
    }
}

package enum FixRejection: String, Sendable, Hashable, CaseIterable, Codable {
    /// The fix has no two-dimensional position.
    case noFix
    /// The fix has no date, and the clock is not trusted.
    case noDate
    case inaccurate
    /// The accuracy is unknown, and one to three satellites were used.
    case unknownAccuracy
    /// The receiver repeats its place, although it reports a speed.
    case frozen
    case notNewer
    /// The date advanced by more than 10 s beyond the time that passed, or by more than 400 days.
    case timeStep
    /// The fix is farther away than any vehicle could have driven.
    case jump
    /// Latitude and longitude are both 0, or one is exactly 0 and the last position is far away or unknown.
    case nullIsland
    /// The very first fix, and the first after a pause if it is far from the last, count only if a second agrees.
    case unconfirmed
    case tooOld
    /// The date is more than 1024 weeks after the earliest possible one.
    case tooNew
}

extension FixRejection {
    /// Completes a sentence about positions that are all rejected for this reason; nil if only the reports around them
    /// show why.
    package var lastingCause: String? {
        switch self {
        case .noFix, .notNewer, .timeStep, .jump, .unconfirmed: nil
        case .frozen: "the receiver repeats one place, although it reports a speed"
        case .noDate: "they have no date, and no time server has set the clock"
        case .inaccurate: "their errors are above `accuracyLimit`"
        case .unknownAccuracy: "the receiver uses fewer than 4 satellites, and states no error"
        case .nullIsland: "they are 0, 0"
        case .tooOld: "their dates are too old"
        case .tooNew: "their dates are too far ahead"
        }
    }
}

/// If a receiver misses a rollover of the week number (10 bits: IS-GPS-200, 20.3.3.3.1.1), its dates are 1024 weeks too
/// early. A date before the release of the program reveals this.
package enum ReleaseDate {
    /// The limit for recordings: receivers without an almanac and boards without a clock report dates long past.
    package static let earliest = Timestamp(year: 2020, month: 1, day: 1)
    /// The limit for a receiver in the vehicle, because this version was not released earlier.
    package static let current = Timestamp(year: 2026, month: 1, day: 1)
}
