package import Quantities
package import Tracking

/// gpsd may send an epoch in several reports. The merger releases a fix as soon as the fix has all parts that the
/// previous epoch had. It therefore waits neither for the next epoch nor for parts that this receiver never sends. A
/// fix without all these parts is released when the next epoch begins or the timeout ends. A report after the release
/// only updates which parts are expected.
package struct EpochMerger: Sendable, Hashable {
    /// gpsd sends the parts of an epoch during the receiver's burst, which lasts up to 0.5 s at 9600 bit/s.
    package static let timeout: Duration = .milliseconds(500)
    /// After this time, a report with the same time begins a new epoch: a receiver that has lost its clock or has
    /// frozen repeats one time for ever, and the engine must see this.
    package static let repeatTimeout: Duration = .seconds(1)

    fileprivate struct Epoch: Hashable {
        let begin: Instant
        var fix: Fix
        /// The parts of all reports, including those that a later one has replaced.
        var parts: Parts
        var isReleased = false
    }

    private var epoch: Epoch?
    private var expected = Parts.all

    package init() {}

    package var deadline: Instant? {
        guard let epoch, !epoch.isReleased else { return nil }
        return epoch.begin + Self.timeout
    }

    /// Returns the fixes that are ready: none, the fix of this epoch or of the previous one, or both.
    package mutating func add(_ report: Fix, at now: Instant) -> [Fix] {
        var ready: [Fix] = []
        if var current = epoch, current.contains(report, at: now) {
            current.fix.merge(report)
            current.parts.formUnion(Parts(of: report))
            epoch = current
        } else {
            ready += close()
            epoch = Epoch(begin: now, fix: report, parts: Parts(of: report))
        }
        if let current = epoch, Parts(of: current.fix).isSuperset(of: expected) { ready += release() }
        return ready
    }

    package mutating func expire(at now: Instant) -> [Fix] {
        guard let deadline, now >= deadline else { return [] }
        return release()
    }

    private mutating func release() -> [Fix] {
        guard let current = epoch, !current.isReleased else { return [] }
        epoch?.isReleased = true
        return [current.fix]
    }

    private mutating func close() -> [Fix] {
        if let epoch { expected = epoch.parts }
        return release()
    }
}

extension EpochMerger.Epoch {
    /// If both the fix and the report have a time, the times must be equal, and the epoch younger than `repeatTimeout`;
    /// otherwise it must be younger than `timeout`.
    fileprivate func contains(_ report: Fix, at now: Instant) -> Bool {
        guard let time = fix.time, let reported = report.time else { return now - begin < EpochMerger.timeout }
        return time == reported && now - begin < EpochMerger.repeatTimeout
    }
}

/// The parts of a fix that gpsd may send late.
fileprivate struct Parts: OptionSet, Hashable {
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
    /// Merges a later report of the same epoch; one with an unknown mode changes nothing. If only one of the two has a
    /// position, the later report replaces the earlier one. If the later report has no time, the earlier time stays.
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
