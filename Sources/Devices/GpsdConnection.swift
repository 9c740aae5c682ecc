import CGpsd
import Glibc
import Hardware

/// One connection to gpsd, or the attempt at one; never blocks, closed when it is let go of.
final class GpsdConnection {
    /// What came of a look at the socket.
    enum Reception {
        /// The messages that gpsd has sent whole; none when there are none yet.
        case messages([GpsdMessage])
        /// gpsd has closed the connection.
        case closed
        /// A line is longer than any of gpsd's.
        case overlong
    }

    /// How far the connecting has come.
    enum Stage {
        case connecting
        case open
        /// Why it did not work, in libgps' words.
        case failed(reason: String)
    }

    private let gpsd: OpaquePointer
    private var lines = GpsdLineBuffer()
    private var received = [UInt8](repeating: 0, count: bytesATurn)

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

    /// Reads what is there, at most `bytesATurn`: poll reports the rest, and a flood does not keep other sources waiting.
    func receive() -> Reception {
        let count = recv(descriptor, &received, received.count, Int32(MSG_DONTWAIT))
        guard count > 0 else {
            let isEmpty = count < 0 && [EAGAIN, EWOULDBLOCK, EINTR].contains(errno)
            return isEmpty ? .messages([]) : .closed
        }
        do throws(GpsdLineBuffer.TooLong) {
            return .messages(try lines.lines(adding: received[..<count]).compactMap(GpsdMessage.init(line:)))
        } catch {
            return .overlong
        }
    }

    private static let bytesATurn = 16 * 1024
}
