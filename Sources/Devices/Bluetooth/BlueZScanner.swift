package import Hardware
package import Quantities
package import Tracking

/// Opens the adapter when the engine requests a scan, closes it afterwards, and opens it again after a loss. If a
/// killed run may have left a scan, the first call of `scan` opens the adapter even at duty `off`, to stop that scan.
/// At low duty the controller itself starts and ends each window, so only reports wake the program. They come from all
/// low-energy devices in range, not only from beacons.
package final class BlueZScanner: BeaconScanner {
    package var name: String { "bluetooth" }
    /// Nil while the adapter scans as requested, before an attempt has failed, or if no scan is requested.
    package var error: AdapterError? {
        switch state {
        case .none: nil
        case .opening, .pausing: lossError
        case .open(_, let session): session.error ?? lossError
        }
    }
    package var fault: (any Fault)? { error.map { ScannerError(adapter: adapter.name, $0) } }
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
    /// Why the adapter was lost; nil if it has scanned since the loss, or if no scan is requested.
    private var lossError: AdapterError?
    private var backoff = Backoff.device
    private var fragments = FragmentedAdvertisements()
    /// True if a scan of this run or of an earlier one may be running without a session that controls it.
    private var mayScan: Bool
    private var hasReportedDeaf = false

    /// If `wasKilled` is true, an earlier run may have left a scan, which the first call of `scan` stops.
    package init(_ adapter: any BluetoothAdapter, wasKilled: Bool = false) {
        self.adapter = adapter
        mayScan = wasKilled
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
        case .open: handle(.want(duty), at: now)
        }
    }

    /// Stops the scan, which would otherwise outlive the program.
    package func close(at now: Instant, by deadline: Instant) {
        if case .open(let link, let session) = state, let command = session.finalCommand {
            try? link.send(command.packet)
        }
        state = .none
    }

    package func advance(at now: Instant) -> [Event] {
        let events = listen(at: now)
        let isDeaf = duty != .off && error != nil && !isScanning
        guard isDeaf != hasReportedDeaf else { return events }
        hasReportedDeaf = isDeaf
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
            handle(.timer, at: now)
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
            fragments = FragmentedAdvertisements()
            state = .open(link, ScanSession(mayScan: mayScan))
            mayScan = false
            handle(.want(duty), at: now)
        } catch {
            lose(error, at: now)
        }
    }

    private func lose(_ reason: AdapterError, at now: Instant) {
        if case .open(_, let session) = state { mayScan = session.mayScan && reason.mayLeaveOn }
        lossError = reason
        state = .pausing(until: now + backoff.next())
        if duty == .off { rest() }
    }

    private func rest() {
        if case .open(_, let session) = state { mayScan = session.mayScan }
        state = .none
        lossError = nil
        backoff.reset()
    }

    private func handle(_ event: ScanSession.Event, at now: Instant) {
        guard case .open(let link, var session) = state else { return }
        let effects = session.handle(event, at: now)
        state = .open(link, session)
        if session.isScanning {
            lossError = nil
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
    /// The limit of packets in one turn, so that a flood does not delay other sources.
    package static let packetsATurn = 64

    private func receive(from link: any AdapterLink, at now: Instant) -> [BeaconSighting] {
        var sightings: [BeaconSighting] = []
        for _ in 0..<Self.packetsATurn {
            // The handling of an answer may have closed the link.
            guard case .open = state else { break }
            do {
                guard let packet = try link.receive() else { break }
                sightings += handle(packet, at: now)
            } catch {
                lose(error, at: now)
            }
        }
        return sightings
    }

    private func handle(_ packet: [UInt8], at now: Instant) -> [BeaconSighting] {
        switch HCIEvent(packet: packet) {
        case .completed(let opcode, let status, let parameters):
            handle(.completed(opcode, status: status, parameters: parameters), at: now)
            return []
        case .advertising(let reports): return duty == .off ? [] : reports.compactMap { sighting($0) }
        case .begun, .other, nil: return []
        }
    }

    private func sighting(_ report: AdvertisingReport) -> BeaconSighting? {
        guard fragments.isWhole(report) else { return nil }
        return IBeaconFrame(advertisingData: Array(report.data))?.sighting(rssi: report.rssi)
    }
}
