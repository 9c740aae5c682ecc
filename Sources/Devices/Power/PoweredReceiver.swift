package import Hardware
package import Quantities
package import Tracking

/// A receiver whose supply is switched with it, part by part, and which is taken from gpsd while it is off.
///
/// A part that cannot be switched keeps no other from it: it is complained of, and tried again.
package final class PoweredReceiver: Receiver {
    /// How long a receiver's reset is pulled; u-blox asks for 1 ms (MAX-M10S), others for up to 100 ms.
    package static let resetTime: Duration = .milliseconds(100)
    /// How long the end of the program waits for gpsd to let go of the device, in milliseconds.
    private static let lastWait_ms: Int32 = 300

    private let inner: any Receiver
    private let wiring: ReceiverPowerWiring
    private let control: GpsdControl?
    private let device: String?
    private let lines: ReceiverLines
    private var sequence: PowerSequence
    private var timer: Instant?
    private var resetUntil: Instant?
    private var complaints: [PowerSequence.Part: String] = [:]
    private var resetComplaint: String?
    /// What gpsd has been asked to do for the sequence.
    private var asked: (part: PowerSequence.Part, isOn: Bool)?
    private var isToldStuck = false
    private var hasBegun = false
    private var lastMoment = Instant.boot

    /// Wraps a receiver; `device` is what gpsd calls it, without which gpsd is told nothing.
    package init(
        _ inner: any Receiver, _ wiring: ReceiverPowerWiring, device: String?, on lines: any LineProvider
    ) {
        self.inner = inner
        self.wiring = wiring
        self.device = device
        control = device == nil ? nil : wiring.gpsdControl.map { GpsdControl(path: $0) }
        self.lines = ReceiverLines(wiring, on: lines)
        sequence = PowerSequence(Self.parts(of: wiring, hasControl: control != nil), powerUpTime: wiring.powerUpTime)
    }

    /// Leaves the receiver off and nothing driven; the lines follow by themselves.
    deinit {
        inner.stop(at: lastMoment)
        guard let control, let command = lastCommand else { return }
        if control.send(command, at: lastMoment) == nil { control.awaitAnswer(for: Self.lastWait_ms) }
    }

    /// What gpsd is told at the end.
    private var lastCommand: GpsdControl.Command? {
        switch wiring.kind {
        case .none: nil
        case .rail: command(.device, isOn: false)
        // Told twice it would be woken by the second time.
        case .ubx: sequence.isWanted ? command(.wakefulness, isOn: false) : nil
        }
    }

    /// The parts that are there to be switched, from the supply up.
    private static func parts(of wiring: ReceiverPowerWiring, hasControl: Bool) -> [PowerSequence.Part] {
        let device: [PowerSequence.Part] = hasControl ? [.device] : []
        let transmit: [PowerSequence.Part] = wiring.transmit == nil ? [] : [.transmit]
        switch wiring.kind {
        case .none: return device + [.reader]
        case .rail: return [.rail, .powerUp] + transmit + device + [.reader]
        // gpsd keeps the device, or it could not wake the receiver: it must run with -n and without -b.
        case .ubx: return (hasControl ? [.wakefulness] : []) + [.powerUp, .reader]
        }
    }

    package var name: String { inner.name }

    package var complaint: String? {
        let own = PowerSequence.Part.allCases.compactMap { complaints[$0] } + [resetComplaint].compactMap(\.self)
        // Two parts may complain of the same socket.
        let all = own.enumerated().filter { !own[..<$0.offset].contains($0.element) }.map(\.element)
        let sentences = all + [inner.complaint].compactMap(\.self)
        return sentences.isEmpty ? nil : sentences.joined(separator: " ")
    }

    package var wait: Wait {
        guard hasBegun, isToldStuck == isStuck else { return Wait(deadline: .boot) }
        let busy = control?.wait ?? Wait()
        let deadlines = [busy.deadline, inner.wait.deadline, timer, resetUntil].compactMap(\.self)
        // What the receiver says meanwhile waits for gpsd's answer.
        return Wait(busy.interest ?? inner.wait.interest, deadline: deadlines.min())
    }

    package func start(at now: Instant) { handle(.want(true), at: now) }

    package func stop(at now: Instant) { handle(.want(false), at: now) }

    package func advance(at now: Instant) -> [Event] {
        lastMoment = now
        // What was never wanted is switched off: it may have been on before the program started.
        if !hasBegun { handle(.want(false), at: now) }
        if let answer = control?.advance(at: now) { take(answer, at: now) }
        if let resetUntil, now >= resetUntil { endReset() }
        if let timer, now >= timer { handle(.timer, at: now) }
        return tellOfLines() + inner.advance(at: now)
    }

    private func tellOfLines() -> [Event] {
        guard isToldStuck != isStuck else { return [] }
        isToldStuck = isStuck
        return [.receiverLines(canBeSet: !isStuck)]
    }

    /// Whether a line could not be set when that was last tried.
    private var isStuck: Bool {
        complaints[.rail] != nil || complaints[.transmit] != nil || (wiring.reset != nil && resetComplaint != nil)
    }

    /// Whether all parts are switched as they are wanted.
    package var isAtRest: Bool { hasBegun && sequence.isAtRest }
}

// MARK: The sequence

extension PoweredReceiver {
    private func handle(_ event: PowerSequence.Event, at now: Instant) {
        lastMoment = now
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

    /// Switches a part; whether that worked, or nothing while gpsd's answer is awaited.
    private func set(_ part: PowerSequence.Part, isOn: Bool, at now: Instant) -> Bool? {
        switch part {
        case .rail: return complain(part) { () throws(LineError) in try lines.setRail(isOn: isOn) }
        case .transmit: return complain(part) { () throws(LineError) in try lines.setTransmit(isOn: isOn) }
        case .wakefulness, .device: return ask(part, isOn: isOn, at: now)
        case .reader:
            if isOn { inner.start(at: now) } else { inner.stop(at: now) }
            return true
        case .powerUp: return true
        }
    }

    private func complain(_ part: PowerSequence.Part, _ body: () throws(LineError) -> Void) -> Bool {
        do throws(LineError) {
            try body()
            complaints[part] = nil
            return true
        } catch {
            complaints[part] = error.description
            return false
        }
    }
}

// MARK: gpsd

extension PoweredReceiver {
    private func ask(_ part: PowerSequence.Part, isOn: Bool, at now: Instant) -> Bool? {
        guard let control, let command = command(part, isOn: isOn) else { return true }
        asked = (part, isOn)
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

    private func take(_ answer: GpsdControl.Answer, at now: Instant) {
        // An answer that the sequence has not asked for came to a reset.
        guard asked != nil else { return noteReset(answer) }
        handle(.ended(isDone: isDone(answer)), at: now)
    }

    /// Reads the answer to what the sequence has asked.
    private func isDone(_ answer: GpsdControl.Answer) -> Bool {
        guard let (part, isOn) = asked else { return true }
        asked = nil
        let isHarmless =
            switch (answer, part, isOn) {
            case (.ok, _, _): true
            // It has the device already, or has not got it: as it was to be.
            case (.refused, .device, _): true
            // A gpsd that is not there holds no device.
            case (.absent, .device, false): true
            case (.refused, _, _), (.absent, _, _), (.silent, _, _): false
            }
        complaints[part] = isHarmless ? nil : trouble(answer)?.description
        return isHarmless
    }

    private func trouble(_ answer: GpsdControl.Answer) -> GpsdControlTrouble? {
        guard let control, let device else { return nil }
        switch answer {
        case .ok: return nil
        case .refused: return .refused(control.path, device: device)
        case .absent(let reason): return .absent(control.path, reason: reason)
        case .silent: return .silent(control.path)
        }
    }
}

// MARK: Reviving

extension PoweredReceiver {
    /// What this wiring has: a control socket to take the device away by, and a reset.
    package var revivals: [ReceiverRevival] {
        var revivals: [ReceiverRevival] = []
        if Self.parts(of: wiring, hasControl: control != nil).contains(.device) { revivals.append(.reopen) }
        if wiring.reset != nil || (wiring.kind == .ubx && control != nil) { revivals.append(.reset) }
        return revivals
    }

    /// Takes the device from gpsd and gives it back, or resets the receiver by its line or by a message.
    package func revive(_ revival: ReceiverRevival, at now: Instant) {
        switch revival {
        case .reopen: handle(.reopen, at: now)
        case .reset where wiring.reset != nil:
            if pullReset(isActive: true) { resetUntil = now + Self.resetTime }
        case .reset:
            // What gpsd does for the sequence goes first: it is switched just now, which does as well.
            guard let control, let device, asked == nil else { return }
            let message = UBXMessage.reset.hexadecimal
            if let answer = control.send(.send(hexadecimal: message, device: device), at: now) { noteReset(answer) }
        }
    }

    private func pullReset(isActive: Bool) -> Bool {
        do throws(LineError) {
            try lines.setReset(isActive: isActive)
            resetComplaint = nil
            return true
        } catch {
            resetComplaint = error.description
            return false
        }
    }

    private func endReset() {
        resetUntil = nil
        _ = pullReset(isActive: false)
    }

    private func noteReset(_ answer: GpsdControl.Answer) { resetComplaint = trouble(answer)?.description }
}
