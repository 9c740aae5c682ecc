package import Hardware
package import Quantities
package import Tracking

/// A debounced input of the vehicle; it makes events from its level at the start, and from each change that lasts.
///
/// If the input cannot request its line, or if it loses the line, it tries again after growing pauses.
package final class LevelInput: EventSource {
    package let name: String
    package var fault: (any Fault)? { error ?? (limit?.isExceeded == true ? EndlessLossError(line: reference) : nil) }

    private enum State {
        case absent(retryAt: Instant)
        case held(any InputLine, Debounce)
    }

    private let reference: LineReference
    private let lines: any LineProvider
    private let times: Debounce.Times
    /// Makes the event for a level, or nil for no event; `isFirst` is true for the level at the start.
    private let event: (_ isActive: Bool, _ isFirst: Bool) -> Event?
    private var state = State.absent(retryAt: .boot)
    private var reported: Bool?
    /// How long the active level may last; nil if it may last for ever.
    private var limit: LossLimit?
    private var error: LineError?
    private var backoff = Backoff.device

    /// Makes an input; the input requests its line when the loop calls `advance` for the first time.
    package init(
        _ name: String, _ reference: LineReference, on lines: any LineProvider, debounce times: Debounce.Times,
        limit: LossLimit? = nil, event: @escaping (_ isActive: Bool, _ isFirst: Bool) -> Event?
    ) {
        self.limit = limit
        self.name = name
        self.reference = reference
        self.lines = lines
        self.times = times
        self.event = event
    }

    package var wait: Wait {
        switch state {
        case .absent(let retryAt): Wait(deadline: retryAt)
        case .held(let line, let debounce):
            Wait(
                .read(line.descriptor),
                deadline: [debounce.deadline, limit?.deadline].compactMap(\.self).min())
        }
    }

    package func advance(at now: Instant) -> [Event] {
        switch state {
        case .absent(let retryAt) where now < retryAt: []
        case .absent: take(at: now)
        case .held(let line, let debounce): read(line, debounce, at: now)
        }
    }

    private func take(at now: Instant) -> [Event] {
        do throws(LineError) {
            let line = try lines.input(reference)
            let isActive = try line.isActive()
            state = .held(line, Debounce(times, isActive: isActive))
            error = nil
            backoff.reset()
            return report(isActive, at: now)
        } catch {
            return lose(error, at: now)
        }
    }

    private func read(_ line: any InputLine, _ before: Debounce, at now: Instant) -> [Event] {
        var debounce = before
        do throws(LineError) {
            var levels: [Bool] = []
            for edge in try line.edges() { levels += debounce.note(edge.isActive, at: min(edge.moment, now)) }
            // The program also reads the level itself, because the kernel drops edges if too many of them arrive at once.
            levels += debounce.note(try line.isActive(), at: now)
            state = .held(line, debounce)
            return levels.flatMap { report($0, at: now) } + expire(at: now)
        } catch {
            return lose(error, at: now)
        }
    }

    private func report(_ isActive: Bool, at now: Instant) -> [Event] {
        let isBelieved = limit?.note(isActive, at: now) ?? true
        guard reported != isActive, isBelieved || !isActive else { return [] }
        defer { reported = isActive }
        return [event(isActive, reported == nil)].compactMap(\.self)
    }

    /// Reports that the supply is back if its failure has lasted too long.
    private func expire(at now: Instant) -> [Event] {
        guard limit?.expire(at: now) == true, reported == true else { return [] }
        reported = false
        return [event(false, false)].compactMap(\.self)
    }

    private func lose(_ error: LineError, at now: Instant) -> [Event] {
        state = .absent(retryAt: now + backoff.next())
        self.error = error
        return []
    }
}

// MARK: The inputs of a vehicle

extension LevelInput {
    /// The times for which a change of the ignition must last.
    ///
    /// An ignition switch bounces, and the starter makes the voltage drop.
    package static let ignitionTimes = Debounce.Times(active: .milliseconds(100), inactive: .seconds(1))
    /// The times for the power-fail input.
    ///
    /// When the supply fails, the program has no time to wait. When the supply returns, it must remain for a second
    /// before the input accepts the change.
    package static let powerFailTimes = Debounce.Times(active: .zero, inactive: .seconds(1))
    /// The times for which a change of the private switch must last.
    ///
    /// A shock may open a closed contact for a moment; this must not end a private period.
    package static let privateSwitchTimes = Debounce.Times(active: .milliseconds(100), inactive: .seconds(1))

    /// Makes the ignition input of a board: it reports `.ignition(isOn:)` at the start and at each change.
    package static func ignition(_ reference: LineReference, on lines: any LineProvider) -> LevelInput {
        LevelInput("ignition", reference, on: lines, debounce: ignitionTimes) { isActive, _ in .ignition(isOn: isActive)
        }
    }

    /// Makes the input of a board's private switch: it reports `.privateSwitch(isOn:)` at the start and at each change.
    ///
    /// While the line cannot be read, the input reports nothing, so the last position remains in force.
    package static func privateSwitch(_ reference: LineReference, on lines: any LineProvider) -> LevelInput {
        LevelInput("private switch", reference, on: lines, debounce: privateSwitchTimes) { isActive, _ in
            .privateSwitch(isOn: isActive)
        }
    }

    /// Makes the power-fail input of a board.
    ///
    /// The input reports `.power(.supplyLost)` at the first edge, or at the start if it is active then, and
    /// `.power(.supplyBack)` when the supply is back. If the program still runs after the time of `LossLimit`, the supply is
    /// there although the line is active: the input then reports `.power(.supplyBack)` too, and has a fault.
    package static func powerFail(_ reference: LineReference, on lines: any LineProvider) -> LevelInput {
        LevelInput("power-fail input", reference, on: lines, debounce: powerFailTimes, limit: LossLimit()) {
            isActive, isFirst in
            if isActive { .power(.supplyLost) } else { isFirst ? nil : .power(.supplyBack) }
        }
    }
}

/// Separates lasting changes of an input from bouncing contacts; each of the two levels has its own duration.
package struct Debounce: Sendable, Hashable {
    /// The times for which a level must last before the input accepts it.
    package struct Times: Sendable, Hashable {
        package var active: Duration
        package var inactive: Duration

        package init(active: Duration, inactive: Duration) {
            self.active = active
            self.inactive = inactive
        }
    }

    package private(set) var isActive: Bool
    private let times: Times
    /// When the line changed to the other level; nil while the line has the accepted level.
    private var changedAt: Instant?

    /// Starts with `isActive` as the accepted level.
    package init(_ times: Times, isActive: Bool) {
        self.times = times
        self.isActive = isActive
    }

    /// The time at which the other level has lasted long enough; nil while the line has the accepted level.
    package var deadline: Instant? { changedAt.map { $0 + (isActive ? times.inactive : times.active) } }

    /// Notes that the line has this level from `moment` on; returns the levels that this call accepts, in order.
    package mutating func note(_ level: Bool, at moment: Instant) -> [Bool] {
        let settled = settle(at: moment)
        if level == isActive {
            changedAt = nil
        } else if changedAt == nil {
            changedAt = moment
        }
        return settled + settle(at: moment)
    }

    /// Accepts and returns the other level if it has lasted long enough.
    private mutating func settle(at moment: Instant) -> [Bool] {
        guard let deadline, moment >= deadline else { return [] }
        isActive.toggle()
        changedAt = nil
        return [isActive]
    }
}
