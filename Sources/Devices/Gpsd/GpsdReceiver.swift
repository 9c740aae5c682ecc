//  The module Devices: the real receiver, sensors, GPIO lines, Bluetooth adapter and clock, behind the protocols of
// Hardware.
//
// Only this module uses the device libraries, each through its C shim. It must not import TrackerDaemon. The loop drives all
// event sources through `wait` and `advance`; only the shims CGpsd and CBlueZ start threads, which connect to gpsd and bring
// up the adapter. Start reading here.

package import Hardware
package import Quantities
package import Tracking

/// Reads a receiver through gpsd. It connects when the engine first requests fixes, remains connected, and connects again
/// after a loss. Between `stop` and `start` it requests no reports and does not connect again, so gpsd soon stops waking
/// the program.
package final class GpsdReceiver: Receiver {
    /// After this time without reports the connection counts as lost; a receiver sends one a second.
    package static let silenceTimeout: Duration = .seconds(60)
    /// The time after `stop` in which reports may still arrive. A later report closes the connection, because gpsd would
    /// otherwise continue to wake the program.
    package static let runOut: Duration = .seconds(5)
    /// How long gpsd may lack the device before that is a fault; a receiver on USB needs some seconds after its supply is on.
    package static let devicePatience: Duration = .seconds(10)

    package var name: String { "gpsd" }
    package let address: GpsdAddress
    /// The reason why no reports arrive; nil if reports arrive, or before an attempt has failed. After `stop`, only one
    /// error remains: that gpsd does not have the device.
    package private(set) var error: GpsdError?
    package var fault: (any Fault)? { error }

    private enum Link {
        case none
        case connecting(GpsdConnection)
        case open(GpsdConnection)
        case pausing(until: Instant)
    }

    private var link = Link.none
    private var isWanted = false
    /// The time of the last report; until the first report, the time at which the wait for reports began.
    private var heardAt = Instant.boot
    private var stoppedAt = Instant.boot
    private var isThere: Bool?
    private var backoff = Backoff.device
    private var epochs = EpochMerger()
    private var sky = LatestSky()
    private var choice = ReceiverChoice()
    /// The devices that gpsd uses instead of the configured device, and the time of the first list without it; nil if gpsd
    /// has the device, or has not listed its devices yet.
    private var absence: (others: [String], since: Instant)?
    private var remarks: [String] = []
    private var pendingEvents: [Event] = []

    package init(_ address: GpsdAddress = GpsdAddress()) { self.address = address }

    package var wait: Wait {
        if !pendingEvents.isEmpty { return Wait(interest, deadline: .boot) }
        return Wait(interest, deadline: .earliest(pauseEnd, silenceEnd, absenceEnd, epochs.deadline))
    }

    /// True even if no reports arrive.
    package var isConnected: Bool {
        guard case .open = link else { return false }
        return true
    }

    package func start(at now: Instant) {
        guard !isWanted else { return }
        isWanted = true
        heardAt = now
        choice.restart(at: now)
        backoff.reset()
        switch link {
        case .none: connect(at: now)
        case .open(let connection): watch(connection, at: now)
        case .connecting, .pausing: break
        }
    }

    package func stop(at now: Instant) {
        guard isWanted else { return }
        isWanted = false
        stoppedAt = now
        absence = nil
        // At the next start gpsd usually still lacks the device, so this error stays until a list contains the device.
        if !lacksDevice { error = nil }
        epochs = EpochMerger()
        switch link {
        case .open(let connection):
            if !connection.unwatch() { lose(.closed(address), at: now) }
        case .pausing: link = .none
        case .none, .connecting: break
        }
    }

    package func close(at now: Instant, by deadline: Instant) {
        stop(at: now)
        link = .none
    }

    package func advance(at now: Instant) -> [Event] {
        switch link {
        case .none: break
        case .pausing(let end): if now >= end { connect(at: now) }
        case .connecting(let connection): takeOver(connection, at: now)
        case .open(let connection): read(connection, at: now)
        }
        if let end = absenceEnd, now >= end {
            error = absenceError
            report(isThere: false)
        }
        if let end = silenceEnd, now >= end { lose(absenceError ?? .silent(address), at: now) }
        pendingEvents += epochs.expire(at: now).map(Event.fix)
        defer { pendingEvents = [] }
        return pendingEvents
    }

    package func takeRemarks() -> [String] {
        defer { remarks = [] }
        return remarks
    }
}

// MARK: What to wait for

extension GpsdReceiver {
    private var interest: Wait.Interest? {
        switch link {
        case .connecting(let connection), .open(let connection): .read(connection.descriptor)
        case .none, .pausing: nil
        }
    }

    private var pauseEnd: Instant? {
        guard case .pausing(let end) = link else { return nil }
        return end
    }

    private var silenceEnd: Instant? {
        guard isWanted, pauseEnd == nil else { return nil }
        return heardAt + Self.silenceTimeout
    }

    /// When the absence of the device becomes a fault; nil if the device is there or the fault is already reported.
    private var absenceEnd: Instant? {
        guard let absence, error != absenceError else { return nil }
        return absence.since + Self.devicePatience
    }
}

// MARK: The connection

extension GpsdReceiver {
    private func connect(at now: Instant) {
        heardAt = now
        guard let connection = GpsdConnection(to: address) else {
            return lose(.unreachable(address, reason: "no descriptor or thread is left"), at: now)
        }
        link = .connecting(connection)
    }

    private func takeOver(_ connection: GpsdConnection, at now: Instant) {
        switch connection.takeOver() {
        case .connecting: break
        case .failed(let reason): lose(.unreachable(address, reason: reason), at: now)
        case .open:
            link = .open(connection)
            if isWanted { watch(connection, at: now) }
        }
    }

    private func watch(_ connection: GpsdConnection, at now: Instant) {
        if !connection.watch(address.device) { lose(.closed(address), at: now) }
    }

    /// Closes the connection; if reports are requested, connects again after a pause.
    private func lose(_ reason: GpsdError, at now: Instant) {
        sky = LatestSky()
        absence = nil
        guard isWanted else { return link = .none }
        link = .pausing(until: now + backoff.next())
        error = reason
        report(isThere: false)
    }

    private func report(isThere now: Bool) {
        guard isThere != now else { return }
        isThere = now
        pendingEvents.append(.receiver(isThere: now))
    }
}

// MARK: Messages

extension GpsdReceiver {
    private func read(_ connection: GpsdConnection, at now: Instant) {
        switch connection.receive() {
        case .messages(let messages):
            for message in messages {
                handle(message, at: now)
                guard case .open = link else { return }
            }
        case .closed: lose(.closed(address), at: now)
        case .overlong: lose(.overlong(address), at: now)
        }
    }

    private func handle(_ message: GpsdMessage, at now: Instant) {
        switch message {
        case .report(let report): handle(report, at: now)
        case .sky(let later, let device): handle(later, of: device, at: now)
        case .devices(let devices): if isWanted { handle(devices, at: now) }
        case .device(let device): if isWanted, device.isActive, address.permits(device.path) { noteDevice(at: now) }
        case .other: break
        }
    }

    private func handle(_ report: GpsdReport, at now: Instant) {
        guard isWanted else {
            if now - stoppedAt > Self.runOut { lose(.closed(address), at: now) }
            return
        }
        guard address.permits(report.device), isChosen(report, at: now) else { return }
        heardAt = now
        absence = nil
        backoff.reset()
        error = nil
        self.report(isThere: true)
        pendingEvents += epochs.add(Fix(report, sky: sky.report(for: report.device, at: now)), at: now).map(Event.fix)
    }

    private func handle(_ later: SkyReport, of device: String?, at now: Instant) {
        guard address.permits(device), device == nil || choice.device == nil || device == choice.device else { return }
        sky.add(later, of: device, at: now)
    }

    private func handle(_ devices: [GpsdDevice], at now: Instant) {
        if devices.contains(where: { address.permits($0.path) }) { return noteDevice(at: now) }
        absence = (GpsdDevice.names(devices), absence?.since ?? now)
    }
}

// MARK: The device

extension GpsdReceiver {
    private var lacksDevice: Bool {
        guard case .noDevice = error else { return false }
        return true
    }

    private var absenceError: GpsdError? { absence.map { .noDevice(address, others: $0.others) } }

    /// Requests the reports of a device that gpsd did not have before.
    private func noteDevice(at now: Instant) {
        guard absence != nil || lacksDevice else { return }
        absence = nil
        if lacksDevice { error = nil }
        heardAt = now
        if case .open(let connection) = link { watch(connection, at: now) }
    }

    /// If no device is configured, `ReceiverChoice` decides.
    private func isChosen(_ report: GpsdReport, at now: Instant) -> Bool {
        guard address.device == nil else { return true }
        switch choice.judge(report.device, hasFix: (report.mode ?? 0) >= 2, at: now) {
        case .accepted: return true
        case .chosen(let former):
            epochs = EpochMerger()
            if let former { remark("\(former.printable()) has had no fix for 30 s; trackerd now uses", report.device) }
            return true
        case .ignored(let isFirst):
            if isFirst { remark("several receivers report; trackerd uses only", choice.device) }
            return false
        }
    }

    private func remark(_ words: String, _ device: String?) {
        let name = (device ?? "").printable()
        remarks.append("\(address): \(words) \(name). To choose a receiver, write `board: {gpsd: {device: \(name)}}`.")
    }
}
