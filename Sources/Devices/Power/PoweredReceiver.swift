package import Hardware
package import Quantities
package import Tracking

/// A receiver whose supply or standby the program switches; if the wiring allows neither, gpsd only releases its
/// device. gpsd does not use a receiver without supply, but keeps the device of one in u-blox standby open.
package final class PoweredReceiver: Receiver {
    /// The length of a reset pulse: u-blox requires 1 ms (MAX-M10S), other receivers up to 100 ms.
    package static let resetTime: Duration = .milliseconds(100)
    /// The time for gpsd to release the device.
    private static let closingTimeout: Duration = .milliseconds(300)

    private let inner: any Receiver
    private let wiring: ReceiverPowerWiring
    private let control: GpsdControl?
    private let device: String?
    private let lines: ReceiverLines
    private var sequence: PowerSequence
    private var timer: Instant?
    private var resetUntil: Instant?
    private var faults: [PowerSequence.Part: any Fault] = [:]
    private var resetFault: (any Fault)?
    private var pending: (part: PowerSequence.Part, isOn: Bool)?
    private var hasReportedStuck = false
    private var hasBegun = false

    /// Without `device` or a control socket of gpsd, no commands are sent to gpsd.
    package init(_ inner: any Receiver, _ wiring: ReceiverPowerWiring, device: String?, on lines: any LineProvider) {
        self.inner = inner
        self.wiring = wiring
        self.device = device
        control = device == nil ? nil : wiring.gpsdControl.map { GpsdControl(path: $0) }
        self.lines = ReceiverLines(wiring, on: lines)
        sequence = PowerSequence(Self.parts(of: wiring, hasControl: control != nil), powerUpTime: wiring.powerUpTime)
    }

    /// Switches the receiver off as far as the wiring allows; the lines to it are no longer driven.
    package func close(at now: Instant, by deadline: Instant) {
        inner.stop(at: now)
        if let control, let command = closingCommand, control.send(command, at: now) == nil {
            control.awaitAnswer(for: min(Self.closingTimeout, deadline - now))
        }
        inner.close(at: now, by: deadline)
        lines.close()
    }

    private var closingCommand: GpsdControl.Command? {
        switch wiring.kind {
        case .none: nil
        case .rail: command(.device, isOn: false)
        // A receiver that is already in standby must receive no bytes, because they would wake it.
        case .ubx: sequence.isWanted ? command(.wakefulness, isOn: false) : nil
        }
    }

    /// Returns the parts in the order of switching on.
    private static func parts(of wiring: ReceiverPowerWiring, hasControl: Bool) -> [PowerSequence.Part] {
        let device: [PowerSequence.Part] = hasControl ? [.device] : []
        let transmit: [PowerSequence.Part] = wiring.transmit == nil ? [] : [.transmit]
        switch wiring.kind {
        case .none: return device + [.reader]
        case .rail: return [.rail, .powerUp] + transmit + device + [.reader]
        // gpsd could not wake the receiver through a closed device, so gpsd must run with -n and without -b.
        case .ubx: return (hasControl ? [.wakefulness] : []) + [.powerUp, .reader]
        }
    }

    package var name: String { inner.name }

    package func takeRemarks() -> [String] { inner.takeRemarks() }

    package var fault: (any Fault)? {
        if faults.isEmpty, resetFault == nil { return inner.fault }
        let own = PowerSequence.Part.allCases.compactMap { faults[$0] } + [resetFault].compactMap(\.self)
        return CombinedError.combining(own + [inner.fault].compactMap(\.self))
    }

    package var wait: Wait {
        guard hasBegun, hasReportedStuck == isStuck else { return Wait(deadline: .boot) }
        let (busy, inner) = (control?.wait ?? Wait(), inner.wait)
        // A `Wait` has one descriptor, so the receiver's reports wait while gpsd's answer is pending.
        return Wait(
            busy.interest ?? inner.interest, deadline: .earliest(busy.deadline, inner.deadline, timer, resetUntil))
    }

    package func start(at now: Instant) { handle(.want(true), at: now) }

    package func stop(at now: Instant) { handle(.want(false), at: now) }

    package func advance(at now: Instant) -> [Event] {
        // Switch off even a receiver that was never requested, because an earlier run may not have switched it off.
        if !hasBegun { handle(.want(false), at: now) }
        if let answer = control?.advance(at: now) { handle(answer, at: now) }
        if let resetUntil, now >= resetUntil {
            self.resetUntil = nil
            resetFault = failure { () throws(LineError) in try lines.setReset(isActive: false) }
        }
        if let timer, now >= timer { handle(.timer, at: now) }
        return lineEvents() + inner.advance(at: now)
    }

    private func lineEvents() -> [Event] {
        guard hasReportedStuck != isStuck else { return [] }
        hasReportedStuck = isStuck
        return [.receiverLines(canBeSet: !isStuck)]
    }

    private var isStuck: Bool {
        faults[.rail] != nil || faults[.transmit] != nil || (wiring.reset != nil && resetFault != nil)
    }

    /// True if all parts were tried, with or without success.
    package var isAtRest: Bool { hasBegun && sequence.isAtRest }
}

// MARK: The sequence

extension PoweredReceiver {
    private func handle(_ event: PowerSequence.Event, at now: Instant) {
        hasBegun = true
        var effects = sequence.handle(event, at: now)[...]
        while let effect = effects.popFirst() {
            switch effect {
            case .arm(let moment): timer = moment
            case .cancel: timer = nil
            case .set(let part, let isOn):
                guard let isDone = set(part, isOn: isOn, at: now) else { continue }
                effects += sequence.handle(.ended(isDone: isDone), at: now)
            }
        }
    }

    /// Nil while gpsd's answer is pending.
    private func set(_ part: PowerSequence.Part, isOn: Bool, at now: Instant) -> Bool? {
        switch part {
        case .rail: faults[part] = failure { () throws(LineError) in try lines.setRail(isOn: isOn) }
        case .transmit: faults[part] = failure { () throws(LineError) in try lines.setTransmit(isOn: isOn) }
        case .wakefulness, .device: return command(part, isOn: isOn, at: now)
        case .reader:
            if isOn { inner.start(at: now) } else { inner.stop(at: now) }
        case .powerUp: break
        }
        return faults[part] == nil
    }

    /// Nil on success.
    private func failure(of body: () throws(LineError) -> Void) -> LineError? {
        do throws(LineError) {
            try body()
            return nil
        } catch {
            return error
        }
    }
}

// MARK: gpsd

extension PoweredReceiver {
    private func command(_ part: PowerSequence.Part, isOn: Bool, at now: Instant) -> Bool? {
        guard let control, let command = command(part, isOn: isOn) else { return true }
        pending = (part, isOn)
        guard let answer = control.send(command, at: now) else { return nil }
        return isDone(answer)
    }

    private func command(_ part: PowerSequence.Part, isOn: Bool) -> GpsdControl.Command? {
        guard let device else { return nil }
        switch part {
        case .device: return isOn ? .add(device: device) : .remove(device: device)
        case .wakefulness:
            return .send(hexadecimal: isOn ? UBXMessage.wakeUp : UBXMessage.standby.hexadecimal, device: device)
        case .rail, .powerUp, .transmit, .reader: return nil
        }
    }

    private func handle(_ answer: GpsdControl.Answer, at now: Instant) {
        // If no part is pending, the answer belongs to a reset.
        guard pending != nil else { return noteReset(answer) }
        handle(.ended(isDone: isDone(answer)), at: now)
    }

    private func isDone(_ answer: GpsdControl.Answer) -> Bool {
        guard let (part, isOn) = pending else { return true }
        pending = nil
        let isHarmless =
            switch (answer, part, isOn) {
            case (.ok, _, _): true
            // If gpsd refuses to add or remove the device, the device is already in the requested state.
            case (.refused, .device, _): true
            // If gpsd is not running, it uses no device.
            case (.absent, .device, false): true
            case (.refused, _, _), (.absent, _, _), (.silent, _, _): false
            }
        faults[part] = isHarmless ? nil : error(of: answer)
        return isHarmless
    }

    private func error(of answer: GpsdControl.Answer) -> GpsdControlError? {
        guard let control, let device else { return nil }
        switch answer {
        case .ok: return nil
        case .refused: return .refused(control.path, device: device)
        case .absent(let reason): return .absent(control.path, reason: reason)
        case .silent: return .silent(control.path)
        }
    }
}

// MARK: Recovery

extension PoweredReceiver {
    package var recoveries: [ReceiverRecovery] {
        var recoveries: [ReceiverRecovery] = []
        if Self.parts(of: wiring, hasControl: control != nil).contains(.device) { recoveries.append(.reopen) }
        if wiring.reset != nil || (wiring.kind == .ubx && control != nil) { recoveries.append(.reset) }
        return recoveries
    }

    package func recover(_ recovery: ReceiverRecovery, at now: Instant) {
        switch recovery {
        case .reopen: handle(.reopen, at: now)
        case .reset where wiring.reset != nil:
            resetFault = failure { () throws(LineError) in try lines.setReset(isActive: true) }
            if resetFault == nil { resetUntil = now + Self.resetTime }
        case .reset:
            // If a part is pending, skip the reset, because switching the receiver has the same effect.
            guard let control, let device, pending == nil else { return }
            let message = UBXMessage.reset.hexadecimal
            if let answer = control.send(.send(hexadecimal: message, device: device), at: now) { noteReset(answer) }
        }
    }

    private func noteReset(_ answer: GpsdControl.Answer) { resetFault = error(of: answer) }
}
