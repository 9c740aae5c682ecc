package import Quantities
package import Tracking

/// Makes one fix an epoch out of gpsd's reports, of which there may be several, each with a part of it.
///
/// A fix is told as soon as it has all that the epoch before ended up with, so that it waits neither for the next epoch
/// nor for parts that this receiver never gives; failing that, when the next epoch begins or patience ends. What
/// comes for an epoch that has been told changes what is expected of the next one, and is otherwise dropped.
package struct EpochMerger: Sendable, Hashable {
    /// How long an epoch may stay open: gpsd sends its parts within the burst of the receiver, at 9600 bit/s up to 0.5 s.
    package static let patience: Duration = .milliseconds(500)
    /// How long reports without a fix may repeat a time: a receiver that has lost its clock shows the same one for ever.
    package static let longestRepeat: Duration = .seconds(1)

    fileprivate struct Epoch: Hashable {
        let begin: Instant
        var fix: Fix
        var isTold = false
    }

    private var epoch: Epoch?
    private var expected = Parts.all

    /// Begins without an epoch.
    package init() {}

    /// When to call `expire`; nothing when no fix is held back.
    package var deadline: Instant? {
        guard let epoch, !epoch.isTold else { return nil }
        return epoch.begin + Self.patience
    }

    /// Takes a report, and gives back the fixes that are ready: none, one, or that of the epoch before as well.
    package mutating func add(_ report: Fix, at now: Instant) -> [Fix] {
        var ready: [Fix] = []
        if var current = epoch, current.holds(report, at: now) {
            current.fix.merge(report)
            epoch = current
        } else {
            ready += close()
            epoch = Epoch(begin: now, fix: report)
        }
        if let current = epoch, Parts(of: current.fix).isSuperset(of: expected) { ready += tell() }
        return ready
    }

    /// Gives back the fix that has waited long enough, if there is one.
    package mutating func expire(at now: Instant) -> [Fix] {
        guard let deadline, now >= deadline else { return [] }
        return tell()
    }

    private mutating func tell() -> [Fix] {
        guard let current = epoch, !current.isTold else { return [] }
        epoch?.isTold = true
        return [current.fix]
    }

    private mutating func close() -> [Fix] {
        if let epoch { expected = Parts(of: epoch.fix) }
        return tell()
    }
}

extension EpochMerger.Epoch {
    /// Whether the report is about this epoch; one without a time belongs to what is at hand.
    fileprivate func holds(_ report: Fix, at now: Instant) -> Bool {
        guard let time = fix.time, let reported = report.time else { return now - begin < EpochMerger.patience }
        return time == reported && (report.mode >= .twoDimensional || now - begin < EpochMerger.longestRepeat)
    }
}

/// The parts of a fix that gpsd is known to send late.
private struct Parts: OptionSet, Hashable {
    let rawValue: UInt8
    static let position = Parts(rawValue: 1)
    static let speed = Parts(rawValue: 2)
    static let accuracy = Parts(rawValue: 4)
    static let time = Parts(rawValue: 8)
    static let all: Parts = [.position, .speed, .accuracy, .time]

    init(rawValue: UInt8) { self.rawValue = rawValue }

    init(of fix: Fix) {
        self = []
        if fix.coordinate != nil { insert(.position) }
        if fix.speed != nil { insert(.speed) }
        if fix.accuracy != nil { insert(.accuracy) }
        if fix.time != nil { insert(.time) }
    }
}

extension Fix {
    /// Takes over what a later report of the same epoch says; one with another verdict on the position replaces all.
    fileprivate mutating func merge(_ later: Fix) {
        guard later.mode != .unknown else { return }
        guard (later.mode >= .twoDimensional) == (mode >= .twoDimensional) else {
            let earlierTime = time
            self = later
            time = later.time ?? earlierTime
            return
        }
        self = later.filled(from: self)
    }
}
