import Quantities

/// Lets only those reports through that can be believed.
struct FixFilter: Sendable, Hashable {
    /// What became of a report.
    enum Verdict: Sendable, Hashable {
        case accepted(AcceptedFix)
        case refused(Refusal)
    }

    /// No vehicle of ours is faster.
    private static let fastest = MetresPerSecond(100)
    /// No vehicle of ours gathers speed faster; it is 1.5 times what the best tyres hold.
    private static let strongest = Acceleration(15)
    /// The week number of GPS has 10 bits: a receiver that has lost count is wrong by as much.
    private static let rollover = Duration.seconds(1024 * 7 * 86_400)
    /// A solution of fewer satellites is not over-determined, so nothing vouches for it when the receiver states no error.
    private static let fewestSatellites = 4
    /// So many reports in a row that contradict the last accepted one, but not each other, show that *it* was wrong.
    private static let overruling = 3
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
    }

    /// A fix with a larger error is refused.
    var accuracyLimit: Metres
    private let notBefore: Timestamp
    private var last: Heard?
    private var doubted: [Heard] = []

    /// Believes dates from `notBefore` on, up to where the week numbers of GPS begin anew.
    init(accuracyLimit: Metres, notBefore: Timestamp = ReleaseDate.earliest, last: AcceptedFix?) {
        self.accuracyLimit = accuracyLimit
        self.notBefore = notBefore
        self.last = last.map { Heard(fix: $0) }
    }

    mutating func judge(_ fix: Fix, at moment: Instant? = nil) -> Verdict {
        guard fix.mode >= .twoDimensional, let accepted = AcceptedFix(fix) else { return .refused(.noFix) }
        if let refusal = Self.isVouchedFor(fix) ? reasonAlone(accepted) : .unknownAccuracy { return .refused(refusal) }
        let candidate = Heard(fix: accepted, moment: moment)
        guard let (refusal, needed) = doubt(candidate) else { return accept(candidate) }
        let agrees = doubted.last.map { Self.contradiction(of: candidate, with: $0) == nil } ?? true
        doubted = (agrees ? doubted : []) + [candidate]
        return doubted.count < needed ? .refused(refusal) : accept(candidate)
    }

    /// Why a report is not believed at once, and how many in a row that agree would be; nothing when it is.
    private func doubt(_ candidate: Heard) -> (refusal: Refusal, needed: Int)? {
        guard let last else { return (.unconfirmed, 2) }
        if let refusal = Self.contradiction(of: candidate, with: last) { return (refusal, Self.overruling) }
        let (now, before) = (candidate.fix, last.fix)
        let isFar = now.position.isProvablyAway(from: before.position, by: Self.farAway)
        return isFar && now.time - before.time > Self.pause ? (.unconfirmed, 2) : nil
    }

    private mutating func accept(_ candidate: Heard) -> Verdict {
        last = candidate
        doubted = []
        return .accepted(candidate.fix)
    }

    private func reasonAlone(_ candidate: AcceptedFix) -> Refusal? {
        if candidate.time < notBefore { return .tooOld }
        if candidate.time > notBefore + Self.rollover { return .tooNew }
        if candidate.coordinate.latitude == 0, candidate.coordinate.longitude == 0 { return .nullIsland }
        return (candidate.position.accuracy ?? .zero) <= accuracyLimit ? nil : .inaccurate
    }

    /// Whether the receiver states its error, or used enough satellites; a three-dimensional fix needs that many.
    private static func isVouchedFor(_ fix: Fix) -> Bool {
        if fix.accuracy != nil { return true }
        return fix.satellites.map { $0 >= fewestSatellites } ?? (fix.mode == .threeDimensional)
    }

    /// Why `candidate` cannot come after `earlier`; nothing when it can.
    private static func contradiction(of later: Heard, with before: Heard) -> Refusal? {
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
        return distance > min(fastest.value * elapsed, gained ?? .infinity) ? .jump : nil
    }
}
