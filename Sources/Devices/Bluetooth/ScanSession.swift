package import Hardware
package import Quantities
package import Tracking

/// Makes a controller scan with the requested duty, although other programs may also use it. While another program
/// scans, the controller refuses settings, so the session uses the reports of that scan. It tries its own settings
/// again after growing pauses, and also soon after another program has started or stopped a scan. It stops only its own
/// scan, or one that an earlier run may have left.
package struct ScanSession: Sendable, Hashable {
    package enum Event: Sendable, Hashable {
        case want(ScanDuty)
        /// A command has ended, possibly one of another program.
        case completed(HCIOpcode, status: UInt8, parameters: ArraySlice<UInt8>)
        /// The timer may be early or late.
        case timer
    }

    package enum Effect: Sendable, Hashable {
        case send(HCICommand)
        /// The session runs no scan, and needs none.
        case rest
        /// The controller does not answer; open the adapter again.
        case reopen
    }

    /// The kernel also waits this long (`HCI_CMD_TIMEOUT`).
    package static let answerTimeout: Duration = .seconds(2)
    /// The pause after a command of another program, because more may follow.
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
    private var supported: [ScanKind] = []
    private var kind = ScanKind.legacy
    private var untried: [ScanKind] = []
    private var pauses = Backoff.device
    /// True if the controller may be running a scan of this session or an earlier one.
    package private(set) var mayScan: Bool
    /// The error of the last attempt; nil if it succeeded, if none has ended yet, or if the duty is off.
    package private(set) var error: AdapterError?

    /// An earlier session may have left a scan if `mayScan` is true.
    package init(mayScan: Bool = false) { self.mayScan = mayScan }

    package var isScanning: Bool {
        switch step {
        case .scanning(let duty, _): duty == wanted
        case .resting, .asking, .setting, .enabling, .disabling, .pausing: false
        }
    }

    package var deadline: Instant? {
        switch step {
        case .resting, .scanning: nil
        case .asking(let end), .setting(_, let end), .enabling(_, let end), .disabling(let end), .pausing(let end): end
        }
    }

    /// Stops the session's own scan when there is no time to wait for an answer.
    package var finalCommand: HCICommand? { mayScan ? .setEnable(kind, isOn: false) : nil }

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

// MARK: The start of a step

extension ScanSession {
    private mutating func wantsChanged(at now: Instant) -> [Effect] {
        switch step {
        case .resting: wanted == .off && !mayScan ? [.rest] : begin(at: now)
        case .pausing: wanted == .off ? rest() : []
        case .scanning(let duty, _): duty == wanted ? [] : disable(in: kind, at: now)
        // The session continues when the answer to the pending command arrives.
        case .asking, .setting, .enabling, .disabling: []
        }
    }

    private mutating func begin(at now: Instant) -> [Effect] {
        guard !supported.isEmpty else {
            step = .asking(until: now + Self.answerTimeout)
            return [.send(.readFeatures)]
        }
        untried = supported
        if mayScan { return disable(in: untried.removeFirst(), at: now) }
        return tryNext(at: now)
    }

    /// If no set of commands is untried, tries the present one again.
    private mutating func tryNext(at now: Instant) -> [Effect] {
        guard let timing = ScanTiming(wanted) else { return rest() }
        if !untried.isEmpty { kind = untried.removeFirst() }
        step = .setting(wanted, until: now + Self.answerTimeout)
        return [.send(.setParameters(kind, timing))]
    }

    private mutating func disable(in kind: ScanKind, at now: Instant) -> [Effect] {
        self.kind = kind
        step = .disabling(until: now + Self.answerTimeout)
        return [.send(.setEnable(kind, isOn: false))]
    }

    private mutating func rest() -> [Effect] {
        step = .resting
        error = nil
        pauses.reset()
        return [.rest]
    }

    private mutating func pause(_ reason: AdapterError, at now: Instant) -> [Effect] {
        guard wanted != .off else { return rest() }
        error = reason
        step = .pausing(until: now + pauses.next())
        return []
    }

    /// Forgets the settings of a controller that was reset.
    private mutating func forget(at now: Instant) -> [Effect] {
        supported = []
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
            supported = Self.kinds(status: status, features: parameters)
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
        step = .enabling(duty, until: now + Self.answerTimeout)
        mayScan = true
        return [.send(.setEnable(kind, isOn: true))]
    }

    private mutating func enabled(_ duty: ScanDuty, status: UInt8, at now: Instant) -> [Effect] {
        guard status == Self.success else { return refused(status, at: now) }
        error = nil
        untried = []
        step = .scanning(duty, since: now)
        return duty == wanted ? [] : disable(in: kind, at: now)
    }

    /// An earlier run may have used either set of commands; if neither can stop a scan, none is running.
    private mutating func disabled(status: UInt8, at now: Instant) -> [Effect] {
        if status != Self.success, !untried.isEmpty { return disable(in: untried.removeFirst(), at: now) }
        mayScan = false
        return wanted == .off ? rest() : begin(at: now)
    }

    /// A command is refused during another scan, or after a program has used the other set, so the session tries that
    /// set at once.
    private mutating func refused(_ status: UInt8, at now: Instant) -> [Effect] {
        mayScan = false
        guard untried.isEmpty || wanted == .off else { return tryNext(at: now) }
        return pause(status == Self.disallowed ? .shared : .refused(status: status), at: now)
    }

    /// Another program has started or stopped a scan, so whether and how the controller scans is unknown.
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
            error = .silent
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
    private static let switches: [HCIOpcode] = [.setEnable, .setExtendedEnable]

    /// If bit 12 of the features, LE Extended Advertising, is set, the session tries the extended commands first, as
    /// the kernel does. Such a controller also supports the legacy ones.
    private static func kinds(status: UInt8, features: ArraySlice<UInt8>) -> [ScanKind] {
        guard status == success, let second = features.dropFirst().first, second & 0x10 != 0 else { return [.legacy] }
        return [.extended, .legacy]
    }
}
