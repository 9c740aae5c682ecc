import CGpsd
import Hardware

/// One connection to gpsd, or the attempt at one; never blocks, closed when it is let go of.
final class GpsdConnection {
    /// What gpsd has sent.
    enum Message {
        case report(cgpsd_report)
        case sky(Sky)
        /// The devices that gpsd has.
        case devices([Device])
        /// Nothing that is of use here.
        case other
        /// No whole line is left: wait for the descriptor.
        case nothingYet
        /// The connection is of no more use.
        case lost
    }

    /// A device that gpsd knows.
    struct Device {
        let path: String
        /// Whether gpsd has it open.
        let isActive: Bool
    }

    /// How far the connecting has come.
    enum Stage {
        case connecting
        case open
        /// Why it did not work, in libgps' words.
        case failed(reason: String)
    }

    private let gpsd: OpaquePointer

    /// Begins to connect; nothing when the program is out of memory, descriptors or threads.
    init?(to address: GpsdAddress) {
        guard let gpsd = cgpsd_create(address.host, String(address.port)) else { return nil }
        self.gpsd = gpsd
    }

    deinit { cgpsd_destroy(gpsd) }

    /// Readable when the connecting has ended, and from then on when gpsd has sent something.
    var descriptor: Int32 { cgpsd_fd(gpsd) }

    /// Takes the connection over when it is there.
    func takeOver() -> Stage {
        switch cgpsd_take_over(gpsd) {
        case CGPSD_OPEN: .open
        case CGPSD_CONNECTING: .connecting
        default: .failed(reason: String(cString: cgpsd_reason(gpsd)))
        }
    }

    /// Asks for the reports of a device, or of all; whether gpsd could be told.
    func watch(_ device: String?) -> Bool { cgpsd_watch(gpsd, true, device) }

    /// Asks for silence; whether gpsd could be told.
    func unwatch() -> Bool { cgpsd_watch(gpsd, false, nil) }

    /// Reads one message.
    func read() -> Message {
        switch cgpsd_read(gpsd) {
        case CGPSD_REPORT: .report(cgpsd_last_report(gpsd))
        case CGPSD_SKY: .sky(Sky(cgpsd_last_sky(gpsd)))
        case CGPSD_DEVICES: .devices(devices)
        case CGPSD_NOTHING_YET: .nothingYet
        case CGPSD_LOST: .lost
        default: .other
        }
    }

    /// The device that the last report came from; empty when gpsd did not say.
    var device: String { String(cString: cgpsd_last_device(gpsd)) }

    private var devices: [Device] {
        (0..<cgpsd_device_count(gpsd)).map { index in
            var isOpen = false
            let path = String(cString: cgpsd_device(gpsd, index, &isOpen))
            return Device(path: path, isActive: isOpen)
        }
    }
}
