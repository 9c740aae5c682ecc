//  Devices: the real receiver and clock (later sensors, lines, radio) behind the seams of Hardware.
//
//  The only target that sees the device libraries, each through its C shim. Must not import TrackerDaemon, nor start a
//  task, a queue or a thread: all of it is driven by the loop, through `wait` and `advance`. Start reading here.

package import Hardware
package import Quantities
package import Tracking

/// A receiver read through gpsd: connects when fixes are wanted for the first time, keeps the connection, reconnects.
///
/// Between `stop` and `start` it is silent and does not reconnect, so that nothing wakes the program at rest.
package final class GpsdReceiver: Receiver {
    /// Without any report for this long, although reports are wanted, gpsd counts as lost: a receiver sends one a second.
    package static let longestSilence: Duration = .seconds(60)
    /// Satellites that were reported longer ago than this are not told with a fix.
    package static let skyValidity: Duration = .seconds(10)
    /// How long after `stop` reports may still be under way; a gpsd that goes on longer would keep the program awake.
    package static let runOut: Duration = .seconds(5)

    package let name = "gpsd"
    /// Where the receiver is looked for.
    package let address: GpsdAddress
    /// Why there are no reports now; nothing when there are, or when none are wanted.
    package private(set) var trouble: GpsdTrouble?
    /// The same, for the log.
    package var complaint: String? { trouble?.description }

    private enum Link {
        case none
        case connecting(GpsdConnection)
        case open(GpsdConnection)
        case pausing(until: Instant)
    }

    private var link = Link.none
    private var isWanted = false
    /// The last report; before the first one, when the wait for it began.
    private var heardAt = Instant.boot
    private var stoppedAt = Instant.boot
    private var isThere: Bool?
    private var backoff = Backoff.device
    private var epochs = EpochMerger()
    private var sky = Sky()
    private var skyAt = Instant.boot
    private var outbox: [Event] = []

    /// Makes a receiver that has not been started, and is not connected.
    package init(_ address: GpsdAddress = GpsdAddress()) { self.address = address }

    /// The connection's descriptor; nothing, not even a deadline, when stopped without one.
    package var wait: Wait {
        if !outbox.isEmpty { return Wait(interest, deadline: .boot) }
        return Wait(interest, deadline: [pauseEnd, silenceEnd, epochs.deadline].compactMap(\.self).min())
    }

    /// Whether there is a connection, also a silent one.
    package var isConnected: Bool {
        guard case .open = link else { return false }
        return true
    }

    package func start(at now: Instant) {
        guard !isWanted else { return }
        isWanted = true
        heardAt = now
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
        trouble = nil
        epochs = EpochMerger()
        switch link {
        case .open(let connection):
            if !connection.unwatch() { lose(.closed(address), at: now) }
        case .pausing: link = .none
        case .none, .connecting: break
        }
    }

    package func advance(at now: Instant) -> [Event] {
        switch link {
        case .none: break
        case .pausing(let end): if now >= end { connect(at: now) }
        case .connecting(let connection): takeOver(connection, at: now)
        case .open(let connection): read(connection, at: now)
        }
        if let end = silenceEnd, now >= end { lose(.silent(address), at: now) }
        outbox += epochs.expire(at: now).map(Event.fix)
        defer { outbox = [] }
        return outbox
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
        return heardAt + Self.longestSilence
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

    /// Closes what there is; tries again after a pause if reports are wanted.
    private func lose(_ reason: GpsdTrouble, at now: Instant) {
        sky = Sky()
        guard isWanted else { return link = .none }
        link = .pausing(until: now + backoff.next())
        trouble = reason
        tell(isThere: false)
    }

    private func tell(isThere now: Bool) {
        guard isThere != now else { return }
        isThere = now
        outbox.append(.receiver(isThere: now))
    }
}

// MARK: Messages

extension GpsdReceiver {
    private func read(_ connection: GpsdConnection, at now: Instant) {
        switch connection.receive() {
        case .messages(let messages):
            for message in messages {
                take(message, at: now)
                guard case .open = link else { return }
            }
        case .closed: lose(.closed(address), at: now)
        case .overlong: lose(.overlong(address), at: now)
        }
    }

    private func take(_ message: GpsdMessage, at now: Instant) {
        switch message {
        case .report(let report): take(Fix(report, sky: now - skyAt < Self.skyValidity ? sky : Sky()), at: now)
        case .sky(let later, device: _):
            sky = sky.merging(later)
            skyAt = now
        case .devices, .other: break
        }
    }

    private func take(_ report: Fix, at now: Instant) {
        guard isWanted else {
            if now - stoppedAt > Self.runOut { lose(.closed(address), at: now) }
            return
        }
        heardAt = now
        backoff.reset()
        trouble = nil
        tell(isThere: true)
        outbox += epochs.add(report, at: now).map(Event.fix)
    }
}
