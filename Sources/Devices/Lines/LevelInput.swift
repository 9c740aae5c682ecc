package import Hardware
package import Quantities
package import Tracking

/// A debounced input, which reports its level at the start and each change that lasts. If the line cannot be used, the input
/// requests it again after growing pauses.
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
    /// `isFirst` is true for the level at the start. Nil means that the level causes no event.
    private let event: (_ isActive: Bool, _ isFirst: Bool) -> Event?
    private var state = State.absent(retryAt: .boot)
    private var reported: Bool?
    /// How long the active level may last; nil means for ever.
    private var limit: LossLimit?
    private var error: LineError?
    private var backoff = Backoff.device

    /// The line is requested at the first `advance`.
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
            Wait(.read(line.descriptor), deadline: .earliest(debounce.deadline, limit?.deadline))
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

    /// Reports the supply as back if its failure has lasted too long.
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
    /// An ignition switch bounces, and the starter makes the voltage drop.
    package static let ignitionTimes = Debounce.Times(active: .milliseconds(100), inactive: .seconds(1))
    /// After a failure there is no time to wait; the return of the supply must last for a second.
    package static let powerFailTimes = Debounce.Times(active: .zero, inactive: .seconds(1))
    /// A shock may open a closed contact for a moment, which must not end a private period.
    package static let privateSwitchTimes = Debounce.Times(active: .milliseconds(100), inactive: .seconds(1))

    package static func ignition(_ reference: LineReference, on lines: any LineProvider) -> LevelInput {
        LevelInput("ignition", reference, on: lines, debounce: ignitionTimes) { isActive, _ in .ignition(isOn: isActive)
        }
    }

    /// While the line cannot be read, the switch counts as unchanged.
    package static func privateSwitch(_ reference: LineReference, on lines: any LineProvider) -> LevelInput {
        LevelInput("private switch", reference, on: lines, debounce: privateSwitchTimes) { isActive, _ in
            .privateSwitch(isOn: isActive)
        }
    }

    /// If the program still runs after the time of `LossLimit`, the supply has not failed, although the line is active.
    /// The input then reports `.power(.supplyBack)`, and has a fault.
    package static func powerFail(_ reference: LineReference, on lines: any LineProvider) -> LevelInput {
        LevelInput("power-fail input", reference, on: lines, debounce: powerFailTimes, limit: LossLimit()) {
            isActive, isFirst in
            if isActive { .power(.supplyLost) } else { isFirst ? nil : .power(.supplyBack) }
        }
    }
}

package struct Debounce: Sendable, Hashable {
    package struct Times: Sendable, Hashable {
        package var active: Duration
        package var inactive: Duration
    }

    package private(set) var isActive: Bool
    private let times: Times
    /// Nil while the line has the accepted level.
    private var changedAt: Instant?

    package init(_ times: Times, isActive: Bool) {
        self.times = times
        self.isActive = isActive
    }

    package var deadline: Instant? { changedAt.map { $0 + (isActive ? times.inactive : times.active) } }

    /// The line has `level` from `moment` on. Returns the levels that have lasted long enough by then, in order.
    package mutating func note(_ level: Bool, at moment: Instant) -> [Bool] {
        let settled = settle(at: moment)
        if level == isActive {
            changedAt = nil
        } else if changedAt == nil {
            changedAt = moment
        }
        return settled + settle(at: moment)
    }

    private mutating func settle(at moment: Instant) -> [Bool] {
        guard let deadline, moment >= deadline else { return [] }
        isActive.toggle()
        changedAt = nil
        return [isActive]
    }
}
