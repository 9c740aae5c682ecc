import CGpsd
import Glibc
package import Hardware

/// A connection to gpsd, or an attempt to connect; no call blocks, and `deinit` closes the connection.
final class GpsdConnection {
    /// The result of reading the socket.
    enum Reception {
        /// The messages that have arrived completely; the list may be empty.
        case messages([GpsdMessage])
        /// gpsd has closed the connection, or reading failed.
        case closed
        /// A line is longer than any line that gpsd sends.
        case overlong
    }

    /// The progress of the attempt to connect.
    enum Stage {
        case connecting
        case open
        /// The attempt failed, for the reason that libgps reported.
        case failed(reason: String)
    }

    private let gpsd: OpaquePointer
    private var lines = GpsdLineBuffer()
    private var received = [UInt8](repeating: 0, count: maximumRead)

    /// Starts to connect; nil if the program is out of memory, descriptors or threads.
    init?(to address: GpsdAddress) {
        guard let gpsd = cgpsd_create(address.host, String(address.port)) else { return nil }
        self.gpsd = gpsd
    }

    deinit { cgpsd_destroy(gpsd) }

    /// The file descriptor; it is readable when the attempt to connect has ended, and later whenever gpsd has sent data.
    var descriptor: Int32 { cgpsd_fd(gpsd) }

    /// Takes over the connection once it is open.
    func takeOver() -> Stage {
        switch cgpsd_take_over(gpsd) {
        case CGPSD_OPEN: .open
        case CGPSD_CONNECTING: .connecting
        default: .failed(reason: String(cString: cgpsd_reason(gpsd)))
        }
    }

    /// Requests the reports of a device, or of all devices; returns whether the request was sent.
    ///
    /// gpsd's answer contains its list of devices. If gpsd does not have the requested device, however, its answer is only an
    /// error (release 3.22). This call therefore also requests the list.
    func watch(_ device: String?) -> Bool { (device == nil || requestDevices()) && cgpsd_watch(gpsd, true, device) }

    private func requestDevices() -> Bool {
        let request = Array("?DEVICES;\n".utf8)
        return send(descriptor, request, request.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT)) == request.count
    }

    /// Requests that gpsd stops its reports; returns whether the request was sent.
    func unwatch() -> Bool { cgpsd_watch(gpsd, false, nil) }

    /// Reads at most `maximumRead` bytes, because a flood must not delay other sources.
    ///
    /// If bytes remain, poll reports the socket as readable again.
    func receive() -> Reception {
        let count = recv(descriptor, &received, received.count, Int32(MSG_DONTWAIT))
        guard count > 0 else {
            let isEmpty = count < 0 && [EAGAIN, EWOULDBLOCK, EINTR].contains(errno)
            return isEmpty ? .messages([]) : .closed
        }
        do throws(GpsdLineBuffer.OverlongLineError) {
            return .messages(try lines.lines(adding: received[..<count]).compactMap(GpsdMessage.init(line:)))
        } catch {
            return .overlong
        }
    }

    private static let maximumRead = 16 * 1024
}

/// Splits gpsd's bytes into lines of bounded length.
package struct GpsdLineBuffer: Sendable {
    /// The maximum length of a line in bytes, without the line feed; gpsd's own buffer for a line has 10 KiB.
    package static let maximumLineLength = 64 * 1024

    /// A line is longer than `maximumLineLength`.
    package struct OverlongLineError: Error, Hashable {}

    /// The beginning of a line whose end has not arrived.
    private var begun: [UInt8] = []

    package init() {}

    /// Adds bytes and returns the lines that they complete, without line feeds.
    ///
    /// Do not use the buffer after an error.
    package mutating func lines(adding bytes: ArraySlice<UInt8>) throws(OverlongLineError) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        var rest = bytes
        while let length = rest.withUnsafeBufferPointer({ $0.firstIndex(of: UInt8(ascii: "\n")) }) {
            try extend(by: rest.prefix(length))
            lines.append(begun)
            begun = []
            rest = rest.dropFirst(length + 1)
        }
        try extend(by: rest)
        return lines
    }

    private mutating func extend(by part: ArraySlice<UInt8>) throws(OverlongLineError) {
        guard begun.count + part.count <= Self.maximumLineLength else { throw OverlongLineError() }
        begun += part
    }
}

/// gpsd sends no reports.
package enum GpsdError: Fault {
    /// trackerd could not connect to gpsd.
    case unreachable(GpsdAddress, reason: String)
    case closed(GpsdAddress)
    /// A line is longer than 64 KiB, so the sender does not use gpsd's protocol.
    case overlong(GpsdAddress)
    /// trackerd is connected or connecting to gpsd, but no reports arrive.
    case silent(GpsdAddress)
    /// gpsd does not use the receiver; `others` contains the devices that gpsd uses.
    case noDevice(GpsdAddress, others: [String])

    package var subject: String { address.description }

    package var cause: String {
        switch self {
        case .unreachable(_, let reason): "no connection (\(reason))"
        case .closed: "gpsd closed the connection"
        case .overlong: "the server sent a line of more than 64 KiB, which gpsd never does"
        case .silent(let address): "no report from \(address.device ?? "any receiver") for a minute"
        case .noDevice(let address, let others): address.absence(others: others).cause
        }
    }

    package var remedy: String? {
        switch self {
        case .unreachable: "Check that gpsd runs: `systemctl status gpsd.socket`."
        case .closed: "If this repeats, see `journalctl -u gpsd`."
        case .overlong: "Check which program listens there: `sudo ss -ltnp`."
        case .silent: "Run `gpspipe -w` to see what gpsd reports."
        case .noDevice(let address, let others): address.absence(others: others).remedy
        }
    }

    private var address: GpsdAddress {
        switch self {
        case .unreachable(let address, _), .closed(let address), .overlong(let address), .silent(let address),
            .noDevice(let address, _):
            address
        }
    }
}
