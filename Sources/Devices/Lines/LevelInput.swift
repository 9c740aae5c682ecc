package import Hardware
package import Quantities
package import Tracking

/// A debounced input of the vehicle: tells its level at the start, and each change of it that lasts.
///
/// A line that cannot be had, or is lost, is tried again with growing pauses.
package final class LevelInput: EventSource {
    package let name: String
    package private(set) var complaint: String?

    private enum State {
        case absent(retryAt: Instant)
        case held(any InputLine, Debounce)
    }

    private let reference: LineReference
    private let lines: any LineProvider
    private let times: Debounce.Times
    /// What is told of a level; `isFirst` when it is the one at the start.
    private let event: (_ isActive: Bool, _ isFirst: Bool) -> Event?
    private var state = State.absent(retryAt: .boot)
    private var told: Bool?
    private var backoff = Backoff.device

    /// Describes an input, which is taken when the loop calls for the first time.
    package init(
        _ name: String, _ reference: LineReference, on lines: any LineProvider, debounce times: Debounce.Times,
        event: @escaping (_ isActive: Bool, _ isFirst: Bool) -> Event?
    ) {
        self.name = name
        self.reference = reference
        self.lines = lines
        self.times = times
        self.event = event
    }

    package var wait: Wait {
        switch state {
        case .absent(let retryAt): Wait(deadline: retryAt)
        case .held(let line, let debounce): Wait(.read(line.descriptor), deadline: debounce.deadline)
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
            complaint = nil
            backoff.reset()
            return tell(isActive)
        } catch {
            return lose(error, at: now)
        }
    }

    private func read(_ line: any InputLine, _ before: Debounce, at now: Instant) -> [Event] {
        var debounce = before
        do throws(LineError) {
            var levels: [Bool] = []
            for edge in try line.edges() { levels += debounce.note(edge.isActive, at: min(edge.moment, now)) }
            // The level itself has the last word: the kernel drops edges when too many come at once.
            levels += debounce.note(try line.isActive(), at: now)
            state = .held(line, debounce)
            return levels.flatMap(tell)
        } catch {
            return lose(error, at: now)
        }
    }

    private func tell(_ isActive: Bool) -> [Event] {
        guard told != isActive else { return [] }
        defer { told = isActive }
        return [event(isActive, told == nil)].compactMap(\.self)
    }

    private func lose(_ error: LineError, at now: Instant) -> [Event] {
        state = .absent(retryAt: now + backoff.next())
        complaint = error.description
        return []
    }
}

// MARK: The inputs of a vehicle

extension LevelInput {
    /// Ignition switches bounce, and starters make their voltage drop: a change must last this long.
    package static let ignitionTimes = Debounce.Times(active: .milliseconds(100), inactive: .seconds(1))
    /// A failing supply leaves no time at all; one that is back must be so for a while.
    package static let powerFailTimes = Debounce.Times(active: .zero, inactive: .seconds(1))

    /// The ignition sense of a board: `.ignition(isOn:)` at the start and with each change.
    package static func ignition(_ reference: LineReference, on lines: any LineProvider) -> LevelInput {
        LevelInput("ignition", reference, on: lines, debounce: ignitionTimes) { isActive, _ in .ignition(isOn: isActive)
        }
    }

    /// The power-fail input of a board: `.power(.supplyLost)` at the first edge, `.power(.supplyBack)` when it is over.
    package static func powerFail(_ reference: LineReference, on lines: any LineProvider) -> LevelInput {
        LevelInput("power-fail input", reference, on: lines, debounce: powerFailTimes) { isActive, isFirst in
            if isActive { .power(.supplyLost) } else { isFirst ? nil : .power(.supplyBack) }
        }
    }
}
