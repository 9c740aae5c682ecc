import CLinux
import Glibc
package import Hardware
import Quantities
import Tracking

/// Listens to gpsd until the receiver's state is clear, or until `timeout` ends.
package struct GpsdProbe: ReceiverProbe {
    /// The longest time to listen; a receiver sends one report per second, but gpsd needs some seconds to find its bit rate.
    static let timeout: Duration = .seconds(8)

    private let clock = BootClock()

    /// Makes a probe.
    package init() {}

    package func receiver(at address: GpsdAddress) -> ReceiverFacts {
        let listening = GpsdListening(to: address)
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

/// Listens to gpsd's list of devices and to the receiver's reports, for the doctor; no call blocks.
package final class GpsdListening {
    private let address: GpsdAddress
    private let connection: GpsdConnection?
    private var isOpen = false
    private var devices: [GpsdDevice]?
    private var hasHeard = false
    private var error: Metres?
    private var hasFix = false
    private var sky = SkyReport()

    /// Makes a listener that starts to connect.
    package init(to address: GpsdAddress) {
        self.address = address
        connection = GpsdConnection(to: address)
    }

    /// The descriptor, readable when `advance` should be called.
    package var descriptor: Int32 { connection?.descriptor ?? -1 }

    /// Reads the bytes that have arrived; returns the facts once they are complete.
    package func advance() -> ReceiverFacts? {
        guard let connection else { return .noGpsd(reason: "no memory or descriptor is left") }
        guard isOpen else { return open(connection) }
        switch connection.receive() {
        case .closed: return .noGpsd(reason: "it closed the connection")
        case .overlong: return .noGpsd(reason: "it sent a line without an end, which gpsd never does")
        case .messages(let messages):
            for message in messages { if let facts = handle(message) { return facts } }
            return hasFix && sky.satellites != nil ? facts(after: .zero) : nil
        }
    }

    /// Returns the facts if listening ends after `span`.
    package func facts(after span: Duration) -> ReceiverFacts {
        guard let devices, let device = devices.first(where: { isMeant($0.path) }) else {
            return .noGpsd(reason: "no answer in time")
        }
        let path = device.path.printable()
        if hasFix { return .fix(device: path, error: error, used: sky.satellites) }
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

    private func missing(in devices: [GpsdDevice]) -> ReceiverFacts? {
        devices.contains { isMeant($0.path) }
            ? nil : .noDevice(others: GpsdDevice.names(devices))
    }

    /// Handles a message; returns the facts if this message completes them.
    private func handle(_ message: GpsdMessage) -> ReceiverFacts? {
        switch message {
        case .report(let report): handle(report)
        case .sky(let sky, let device): if isMeant(device ?? "") { self.sky = self.sky.merging(sky) }
        case .devices(let devices):
            self.devices = devices
            return missing(in: devices)
        case .device, .other: break
        }
        return nil
    }

    private func handle(_ report: GpsdReport) {
        guard isMeant(report.device ?? "") else { return }
        hasHeard = true
        let fix = Fix(report)
        guard fix.coordinate != nil else { return }
        hasFix = true
        error = fix.accuracy ?? error
    }

    private func isMeant(_ device: String) -> Bool { address.device == nil || address.device == device }
}
