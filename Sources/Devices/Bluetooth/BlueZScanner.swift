package import Hardware
package import Quantities
package import Tracking

/// Listens for iBeacons with a Bluetooth adapter: opens it when there is something to listen for, closes it afterwards,
/// opens it anew when it is lost.
///
/// When it is not to listen, nothing is open and nothing wakes the program. At low duty the controller keeps time by
/// itself, so that the program is woken by reports alone: those of all low-energy devices in range, not of beacons only.
package final class BlueZScanner: BeaconScanner {
    package let name = "bluetooth"
    /// Why it does not listen, or not as it should; nothing while it does, or when it is not to.
    package var trouble: AdapterTrouble? {
        switch state {
        case .none: nil
        case .opening, .pausing: lost
        case .open(_, let session): session.trouble ?? lost
        }
    }
    /// The same, for the log.
    package var complaint: String? { trouble?.text(adapter: adapter.name) }
    /// Whether the adapter scans as it should.
    package var isScanning: Bool {
        guard case .open(_, let session) = state else { return false }
        return session.isScanning
    }

    private enum State {
        case none
        case opening(any AdapterLink)
        case open(any AdapterLink, ScanSession)
        case pausing(until: Instant)
    }

    private let adapter: any BluetoothAdapter
    private var state = State.none
    private var duty = ScanDuty.off
    /// Why the adapter was lost last, until it scans again.
    private var lost: AdapterTrouble?
    private var backoff = Backoff.device
    private var parts = PartedAdvertisements()
    /// Whether a scan of its own may go on although the adapter was lost.
    private var mayScan: Bool
    private var isToldDeaf = false

    /// Makes a scanner that does not listen; if the program that did so before was killed, its scan may go on, and is
    /// ended.
    package init(_ adapter: any BluetoothAdapter, wasKilled: Bool = false) {
        self.adapter = adapter
        mayScan = wasKilled
    }

    /// A scan would go on without the program.
    deinit {
        if case .open(let link, let session) = state, let command = session.parting { try? link.send(command.packet) }
    }

    package var wait: Wait {
        switch state {
        case .none: Wait()
        case .opening(let link): Wait(link.interest)
        case .open(let link, let session): Wait(link.interest, deadline: session.deadline)
        case .pausing(let end): Wait(deadline: end)
        }
    }

    package func scan(_ duty: ScanDuty, at now: Instant) {
        guard duty != self.duty || mayScan else { return }
        self.duty = duty
        switch state {
        case .none: open(at: now)
        case .opening: if duty == .off, !mayScan { rest() }
        case .pausing: if duty == .off { rest() }
        case .open: tell(.want(duty), at: now)
        }
    }

    package func advance(at now: Instant) -> [Event] {
        let events = listen(at: now)
        let isDeaf = duty != .off && trouble != nil && !isScanning
        guard isDeaf != isToldDeaf else { return events }
        isToldDeaf = isDeaf
        return events + [.beaconScanner(isListening: !isDeaf)]
    }

    private func listen(at now: Instant) -> [Event] {
        switch state {
        case .none: return []
        case .pausing(let end):
            if now >= end { open(at: now) }
            return []
        case .opening(let link):
            takeOver(link, at: now)
            return []
        case .open(let link, _):
            let sightings = receive(from: link, at: now)
            tell(.timer, at: now)
            return sightings.map(Event.beacon)
        }
    }
}

// MARK: The adapter

extension BlueZScanner {
    private func open(at now: Instant) {
        let link = adapter.open()
        state = .opening(link)
        takeOver(link, at: now)
    }

    private func takeOver(_ link: any AdapterLink, at now: Instant) {
        do {
            guard try link.isOpen() else { return }
            parts = PartedAdvertisements()
            state = .open(link, ScanSession(mayScan: mayScan))
            mayScan = false
            tell(.want(duty), at: now)
        } catch {
            lose(error, at: now)
        }
    }

    /// Closes it; tries again after a pause if it is wanted.
    private func lose(_ reason: AdapterTrouble, at now: Instant) {
        if case .open(_, let session) = state { mayScan = session.mayScan && reason.mayLeaveOn }
        lost = reason
        state = .pausing(until: now + backoff.next())
        if duty == .off { rest() }
    }

    private func rest() {
        if case .open(_, let session) = state { mayScan = session.mayScan }
        state = .none
        lost = nil
        backoff.reset()
    }

    private func tell(_ event: ScanSession.Event, at now: Instant) {
        guard case .open(let link, var session) = state else { return }
        let effects = session.handle(event, at: now)
        state = .open(link, session)
        if session.isScanning {
            lost = nil
            backoff.reset()
        }
        for effect in effects { perform(effect, link, at: now) }
    }

    private func perform(_ effect: ScanSession.Effect, _ link: any AdapterLink, at now: Instant) {
        switch effect {
        case .send(let command):
            do { try link.send(command.packet) } catch { lose(error, at: now) }
        case .rest: rest()
        case .reopen: lose(.silent, at: now)
        }
    }
}

// MARK: Packets

extension BlueZScanner {
    /// So many at most in one turn, lest a flood of them keep the other sources waiting.
    package static let packetsATurn = 64

    private func receive(from link: any AdapterLink, at now: Instant) -> [BeaconSighting] {
        var sightings: [BeaconSighting] = []
        for _ in 0..<Self.packetsATurn {
            // An answer may have closed the link.
            guard case .open = state else { break }
            do {
                guard let packet = try link.receive() else { break }
                sightings += take(packet, at: now)
            } catch {
                lose(error, at: now)
            }
        }
        return sightings
    }

    private func take(_ packet: [UInt8], at now: Instant) -> [BeaconSighting] {
        switch HCIEvent(packet: packet) {
        case .completed(let opcode, let status, let parameters):
            tell(.completed(opcode, status: status, parameters: parameters), at: now)
            return []
        case .advertising(let reports): return duty == .off ? [] : reports.compactMap { sighting($0) }
        case .begun, .other, nil: return []
        }
    }

    private func sighting(_ report: AdvertisingReport) -> BeaconSighting? {
        guard parts.isWhole(report) else { return nil }
        return IBeaconFrame(advertisingData: Array(report.data))?.sighting(rssi: report.rssi)
    }
}
