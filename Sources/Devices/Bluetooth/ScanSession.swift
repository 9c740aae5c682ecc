package import Hardware
package import Quantities
package import Tracking

/// Makes a controller scan as it should, while others may use it too.
///
/// Where another program scans, the controller refuses settings. That program is let be and what it hears is used; the
/// settings are tried again with growing pauses, and soon after somebody has switched a scan on or off. Only a scan of
/// its own is ever ended.
package struct ScanSession: Sendable, Hashable {
    /// What the session is told.
    package enum Event: Sendable, Hashable {
        /// Listen that much from now on.
        case want(ScanDuty)
        /// The controller has done a command, or refused it; somebody else's perhaps.
        case completed(HCIOpcode, status: UInt8, parameters: ArraySlice<UInt8>)
        /// The deadline has passed; one that is late or early does no harm.
        case timer
    }

    /// What the session wants done.
    package enum Effect: Sendable, Hashable {
        /// Send this to the controller.
        case send(HCICommand)
        /// Nothing of its own runs any more, and none is wanted.
        case rest
        /// The controller does not answer: open it anew.
        case reopen
    }

    /// How long a controller may take for an answer; the kernel gives it as long (`HCI_CMD_TIMEOUT`).
    package static let longestAnswer: Duration = .seconds(2)
    /// After somebody has switched a scan, which may be the first of several commands, settings are tried this much
    /// later.
    package static let settling: Duration = .seconds(1)

    private enum Step: Sendable, Hashable {
        case resting
        case asking(until: Instant)
        case setting(ScanDuty, until: Instant)
        case enabling(ScanDuty, until: Instant)
        case scanning(ScanDuty, since: Instant)
        case disabling(until: Instant)
        case pausing(until: Instant)
    }

    private var step = Step.resting
    private var wanted = ScanDuty.off
    /// What the controller is known to understand; nothing until it was asked.
    private var understood: [ScanKind] = []
    /// The kind that is used, or being tried; the others are still to be tried.
    private var kind = ScanKind.legacy
    private var untried: [ScanKind] = []
    private var pauses = Backoff.device
    /// Whether a scan of its own may run: from when it was asked for until it is ended, or somebody else has ended it.
    package private(set) var mayScan: Bool
    /// Why there is no scan as it should be; nothing while there is one, or none is wanted.
    package private(set) var trouble: AdapterTrouble?

    /// Begins with a controller of which nothing is known but whether a scan of one's own may have been left on.
    package init(mayScan: Bool = false) { self.mayScan = mayScan }

    /// Whether the controller scans as it should.
    package var isScanning: Bool {
        switch step {
        case .scanning(let duty, _): duty == wanted
        case .resting, .asking, .setting, .enabling, .disabling, .pausing: false
        }
    }

    /// When to send `.timer`.
    package var deadline: Instant? {
        switch step {
        case .resting, .scanning: nil
        case .asking(let end), .setting(_, let end), .enabling(_, let end), .disabling(let end), .pausing(let end): end
        }
    }

    /// What ends a scan of its own in a hurry, when nobody can wait for answers any more; nothing when there is none to
    /// end.
    package var parting: HCICommand? { mayScan ? .setEnable(kind, isOn: false) : nil }

    /// Takes in what happened at that moment, and says what to do about it.
    package mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
        switch event {
        case .want(let duty):
            wanted = duty
            return wantsChanged(at: now)
        case .completed(.reset, _, _):
            return forget(at: now)
        case .completed(let opcode, let status, let parameters):
            return completed(opcode, status: status, parameters, at: now)
        case .timer:
            return timer(at: now)
        }
    }
}

// MARK: What begins a step

extension ScanSession {
    private mutating func wantsChanged(at now: Instant) -> [Effect] {
        switch step {
        case .resting: wanted == .off && !mayScan ? [.rest] : begin(at: now)
        case .pausing: wanted == .off ? rest() : []
        case .scanning(let duty, _): duty == wanted ? [] : disable(in: kind, at: now)
        // The answer that is awaited leads on.
        case .asking, .setting, .enabling, .disabling: []
        }
    }

    private mutating func begin(at now: Instant) -> [Effect] {
        guard !understood.isEmpty else {
            step = .asking(until: now + Self.longestAnswer)
            return [.send(.readFeatures)]
        }
        untried = understood
        if mayScan { return disable(in: untried.removeFirst(), at: now) }
        return tryNext(at: now)
    }

    /// Sets the parameters, in the next of the ways that are left to be tried.
    private mutating func tryNext(at now: Instant) -> [Effect] {
        guard let timing = ScanTiming(wanted) else { return rest() }
        if !untried.isEmpty { kind = untried.removeFirst() }
        step = .setting(wanted, until: now + Self.longestAnswer)
        return [.send(.setParameters(kind, timing))]
    }

    private mutating func disable(in kind: ScanKind, at now: Instant) -> [Effect] {
        self.kind = kind
        step = .disabling(until: now + Self.longestAnswer)
        return [.send(.setEnable(kind, isOn: false))]
    }

    private mutating func rest() -> [Effect] {
        step = .resting
        trouble = nil
        pauses.reset()
        return [.rest]
    }

    private mutating func pause(_ reason: AdapterTrouble, at now: Instant) -> [Effect] {
        guard wanted != .off else { return rest() }
        trouble = reason
        step = .pausing(until: now + pauses.next())
        return []
    }

    /// The controller has been reset and knows nothing any more.
    private mutating func forget(at now: Instant) -> [Effect] {
        understood = []
        mayScan = false
        guard wanted != .off else { return rest() }
        step = .pausing(until: now + Self.settling)
        return []
    }
}

// MARK: Answers

extension ScanSession {
    private mutating func completed(
        _ opcode: HCIOpcode, status: UInt8, _ parameters: ArraySlice<UInt8>, at now: Instant
    ) -> [Effect] {
        switch step {
        case .asking where opcode == .readFeatures:
            understood = Self.kinds(status: status, features: parameters)
            return begin(at: now)
        case .setting(let duty, _) where opcode == kind.setParameters:
            return parametersSet(duty, status: status, at: now)
        case .enabling(let duty, _) where opcode == kind.setEnable:
            return enabled(duty, status: status, at: now)
        case .disabling where opcode == kind.setEnable:
            return disabled(status: status, at: now)
        case .scanning(_, let since) where Self.switches.contains(opcode) && status == 0:
            return displaced(since: since, at: now)
        case .pausing(let end) where Self.switches.contains(opcode) && status == 0:
            step = .pausing(until: min(end, now + Self.settling))
            return []
        case .resting, .asking, .setting, .enabling, .scanning, .disabling, .pausing:
            return []
        }
    }

    private mutating func parametersSet(_ duty: ScanDuty, status: UInt8, at now: Instant) -> [Effect] {
        guard status == Self.success else { return refused(status, at: now) }
        guard wanted == duty else { return wanted == .off ? rest() : begin(at: now) }
        step = .enabling(duty, until: now + Self.longestAnswer)
        mayScan = true
        return [.send(.setEnable(kind, isOn: true))]
    }

    private mutating func enabled(_ duty: ScanDuty, status: UInt8, at now: Instant) -> [Effect] {
        guard status == Self.success else { return refused(status, at: now) }
        trouble = nil
        untried = []
        step = .scanning(duty, since: now)
        return duty == wanted ? [] : disable(in: kind, at: now)
    }

    /// Of a scan that was left on it is not known in which way it was begun; one that can be ended in neither does not
    /// run.
    private mutating func disabled(status: UInt8, at now: Instant) -> [Effect] {
        if status != Self.success, !untried.isEmpty { return disable(in: untried.removeFirst(), at: now) }
        mayScan = false
        return wanted == .off ? rest() : begin(at: now)
    }

    /// Settings may be refused because a scan runs, or because the other kind of commands was used before: that is
    /// tried at once.
    private mutating func refused(_ status: UInt8, at now: Instant) -> [Effect] {
        mayScan = false
        guard untried.isEmpty || wanted == .off else { return tryNext(at: now) }
        return pause(status == Self.disallowed ? .shared : .refused(status: status), at: now)
    }

    /// Another program has switched the scan; whether it runs now, and how, is not told.
    private mutating func displaced(since: Instant, at now: Instant) -> [Effect] {
        mayScan = false
        if now - since >= pauses.longest { pauses.reset() }
        step = .pausing(until: now + pauses.next())
        return []
    }

    private mutating func timer(at now: Instant) -> [Effect] {
        guard let deadline, now >= deadline else { return [] }
        switch step {
        case .pausing: return begin(at: now)
        case .asking, .setting, .enabling, .disabling:
            step = .resting
            trouble = .silent
            return [.reopen]
        case .resting, .scanning: return []
        }
    }
}

// MARK: Numbers of the Core Specification

extension ScanSession {
    private static let success: UInt8 = 0x00
    /// Command Disallowed (volume 1, part F).
    private static let disallowed: UInt8 = 0x0C
    /// What switches scans on and off, whoever does it.
    private static let switches: [HCIOpcode] = [.setEnable, .setExtendedEnable]

    /// Bit 12 of the features is LE Extended Advertising; who has it is scanned so, as the kernel does, but knows the
    /// old way too.
    private static func kinds(status: UInt8, features: ArraySlice<UInt8>) -> [ScanKind] {
        guard status == success, let second = features.dropFirst().first, second & 0x10 != 0 else { return [.legacy] }
        return [.extended, .legacy]
    }
}
