import CLinux
import Glibc
package import Hardware
package import Quantities
import Tracking

/// Listens until the receiver's state is clear, at most for `timeout`.
package struct GpsdProbe: ReceiverProbe {
    /// A receiver reports once a second, but gpsd needs some seconds to find its bit rate.
    static let timeout: Duration = .seconds(8)

    private let clock = BootClock()

    package init() {}

    package func receiver(at address: GpsdAddress, accuracyLimit: Metres) -> ReceiverFacts {
        let listening = GpsdListening(to: address, accuracyLimit: accuracyLimit, isClockSet: clock.wallTime().isTrusted)
        let end = clock.now() + Self.timeout
        while true {
            if let facts = listening.advance() { return facts }
            let left = end - clock.now()
            guard left > .zero else { return listening.facts(after: Self.timeout) }
            var waiting = pollfd(fd: listening.descriptor, events: Int16(POLLIN), revents: 0)
            poll(&waiting, 1, Int32((left.inSeconds * 1000).rounded(.up)))
        }
    }
}

/// Handles reports as the daemon does: they are merged into epochs, which the engine's filter judges. No call blocks.
package final class GpsdListening {
    private let address: GpsdAddress
    private let connection: GpsdConnection?
    private var isOpen = false
    private var devices: [GpsdDevice]?
    private var hasHeard = false
    private var error: Metres?
    private var hasFix = false
    /// True after a position that the engine accepts only when later ones agree.
    private var hasUnconfirmedFix = false
    private var sky = SkyReport()
    private var epochs = EpochMerger()
    private var trial: FixTrial
    private var refusal: FixRejection?
    private let isClockSet: Bool
    private let clock = BootClock()

    /// `isClockSet` is true if a time server or GPS has set the computer's clock.
    package init(to address: GpsdAddress, accuracyLimit: Metres, isClockSet: Bool) {
        self.address = address
        self.isClockSet = isClockSet
        trial = FixTrial(accuracyLimit: accuracyLimit)
        connection = GpsdConnection(to: address)
    }

    package var descriptor: Int32 { connection?.descriptor ?? -1 }

    package func advance() -> ReceiverFacts? {
        guard let connection else { return .noGpsd(reason: "no memory or descriptor is left") }
        guard isOpen else { return open(connection) }
        switch connection.receive() {
        case .closed: return .noGpsd(reason: "it closed the connection")
        case .overlong: return .noGpsd(reason: "it sent a line without an end, which gpsd never does")
        case .messages(let messages):
            for message in messages { if let facts = handle(message) { return facts } }
            judge(epochs.expire(at: clock.now()))
            return hasFix && sky.satellites != nil ? facts(after: .zero) : nil
        }
    }

    package func facts(after span: Duration) -> ReceiverFacts {
        guard let devices, let device = devices.first(where: { address.permits($0.path) }) else {
            return .noGpsd(reason: "no answer in time")
        }
        let path = device.path.printable()
        judge(epochs.expire(at: clock.now() + EpochMerger.timeout))
        if !hasFix, let refusal { return .unusable(device: path, refusal, error: error) }
        if hasFix || hasUnconfirmedFix { return .fix(device: path, error: error, used: sky.satellites) }
        if hasHeard { return .searching(device: path, used: sky.satellites ?? 0, seen: sky.seen ?? 0) }
        guard device.isActive else { return .deviceFailing(device: path, reason: "gpsd could not open it") }
        return .silent(device: path, span: span)
    }

    private func open(_ connection: GpsdConnection) -> ReceiverFacts? {
        switch connection.takeOver() {
        case .connecting: return nil
        case .failed(let reason): return .noGpsd(reason: reason)
        case .open:
            isOpen = true
            return connection.watch(nil) ? nil : .noGpsd(reason: "it closed the connection")
        }
    }

    private func handle(_ message: GpsdMessage) -> ReceiverFacts? {
        switch message {
        case .report(let report): handle(report)
        case .sky(let sky, let device): if address.permits(device) { self.sky = self.sky.merging(sky) }
        case .devices(let devices):
            self.devices = devices
            return devices.contains { address.permits($0.path) } ? nil : .noDevice(others: GpsdDevice.names(devices))
        case .device, .other: break
        }
        return nil
    }

    private func handle(_ report: GpsdReport) {
        guard address.permits(report.device) else { return }
        hasHeard = true
        judge(epochs.add(Fix(report, sky: sky), at: clock.now()))
    }

    private func judge(_ fixes: [Fix]) {
        for fix in fixes where fix.hasPlace {
            error = fix.accuracy ?? error
            let date = isClockSet ? clock.wallTime().time : nil
            guard let reason = trial.judge(fix, date: date, at: clock.now()) else {
                hasFix = true
                continue
            }
            if reason.lastingCause != nil { refusal = reason } else { hasUnconfirmedFix = true }
        }
    }
}
