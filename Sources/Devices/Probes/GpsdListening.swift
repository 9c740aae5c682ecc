package import Hardware
import Quantities
import Tracking

/// Listens to gpsd for the doctor: which devices it has, and what the receiver says; never blocks.
package final class GpsdListening {
    /// More devices than these are not named.
    private static let mostNamed = 8

    private let address: GpsdAddress
    private let connection: GpsdConnection?
    private var isOpen = false
    private var devices: [GpsdDevice]?
    private var hasHeard = false
    private var error: Metres?
    private var hasFix = false
    private var sky = Sky()

    /// Begins to connect.
    package init(to address: GpsdAddress) {
        self.address = address
        connection = GpsdConnection(to: address)
    }

    /// What to wait for, until readable.
    package var descriptor: Int32 { connection?.descriptor ?? -1 }

    /// Takes what there is; tells what it comes to as soon as nothing more is to be expected.
    package func advance() -> ReceiverFacts? {
        guard let connection else { return .noGpsd(reason: "there is no memory or descriptor for it") }
        guard isOpen else { return open(connection) }
        switch connection.receive() {
        case .closed: return .noGpsd(reason: "it closes the connection")
        case .overlong: return .noGpsd(reason: "it sends a line without an end, as gpsd never does")
        case .messages(let messages):
            for message in messages { if let facts = hear(message) { return facts } }
            return hasFix && sky.satellites != nil ? facts(after: .zero) : nil
        }
    }

    /// What it comes to when waiting ends after so long.
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
            return connection.watch(nil) ? nil : .noGpsd(reason: "it closes the connection")
        }
    }

    private func missing(in devices: [GpsdDevice]) -> ReceiverFacts? {
        devices.contains { isMeant($0.path) }
            ? nil : .noDevice(others: devices.prefix(Self.mostNamed).map { $0.path.printable() })
    }

    /// Takes a message; tells what it comes to when that settles it.
    private func hear(_ message: GpsdMessage) -> ReceiverFacts? {
        switch message {
        case .report(let report): hear(report)
        case .sky(let sky, let device): if isMeant(device ?? "") { self.sky = self.sky.merging(sky) }
        case .devices(let devices):
            self.devices = devices
            return missing(in: devices)
        case .other: break
        }
        return nil
    }

    private func hear(_ report: GpsdReport) {
        guard isMeant(report.device ?? "") else { return }
        hasHeard = true
        let fix = Fix(report)
        guard fix.coordinate != nil else { return }
        hasFix = true
        error = fix.accuracy ?? error
    }

    private func isMeant(_ device: String) -> Bool { address.device == nil || address.device == device }
}
