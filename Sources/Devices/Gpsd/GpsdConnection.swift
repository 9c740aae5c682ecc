import CGpsd
import Glibc
package import Hardware

/// No call blocks, and `deinit` closes the connection.
final class GpsdConnection {
    enum Reception {
        /// The messages that are complete; the list may be empty.
        case messages([GpsdMessage])
        /// gpsd has closed the connection, or reading failed.
        case closed
        case overlong
    }

    enum Stage {
        case connecting
        case open
        case failed(reason: String)
    }

    private let gpsd: OpaquePointer
    private var lines = GpsdLineBuffer()
    private var received = [UInt8](repeating: 0, count: maximumRead)

    /// Nil if the program is out of memory, descriptors or threads.
    init?(to address: GpsdAddress) {
        guard let gpsd = cgpsd_create(address.host, String(address.port)) else { return nil }
        self.gpsd = gpsd
    }

    deinit { cgpsd_destroy(gpsd) }

    /// Readable when the attempt to connect has ended, and later when gpsd has sent data.
    var descriptor: Int32 { cgpsd_fd(gpsd) }

    func takeOver() -> Stage {
        switch cgpsd_take_over(gpsd) {
        case CGPSD_OPEN: .open
        case CGPSD_CONNECTING: .connecting
        default: .failed(reason: String(cString: cgpsd_reason(gpsd)))
        }
    }

    /// Requests the reports of a device, or of all. gpsd's answer contains its list of devices. If gpsd does not have
    /// the device, the answer is only an error (release 3.22), so the list is requested too.
    func watch(_ device: String?) -> Bool { (device == nil || requestDevices()) && cgpsd_watch(gpsd, true, device) }

    private func requestDevices() -> Bool {
        let request = Array("?DEVICES;\n".utf8)
        return send(descriptor, request, request.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT)) == request.count
    }

    func unwatch() -> Bool { cgpsd_watch(gpsd, false, nil) }

    /// Reads at most `maximumRead` bytes: a flood must not delay other sources, and poll reports the rest.
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

package struct GpsdLineBuffer: Sendable {
    /// The limit in bytes, without the line feed; gpsd's own buffer for a line has 10 KiB.
    package static let maximumLineLength = 64 * 1024

    package struct OverlongLineError: Error, Hashable {}

    private var begun: [UInt8] = []

    package init() {}

    /// Returns the lines without line feeds. After an error, the buffer must not be used again.
    package mutating func lines(adding bytes: ArraySlice<UInt8>) throws(OverlongLineError) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        var rest = bytes
        while let length = Self.length(ofLineIn: rest) {
            try extend(by: rest.prefix(length))
            lines.append(begun)
            begun = []
            rest = rest.dropFirst(length + 1)
        }
        try extend(by: rest)
        return lines
    }

    /// Returns the length without the line feed; nil if the line is not complete.
    private static func length(ofLineIn bytes: ArraySlice<UInt8>) -> Int? {
        bytes.withUnsafeBytes { bytes in
            bytes.baseAddress.flatMap { start in memchr(start, 0x0A, bytes.count).map { UnsafeRawPointer($0) - start } }
        }
    }

    private mutating func extend(by part: ArraySlice<UInt8>) throws(OverlongLineError) {
        guard begun.count + part.count <= Self.maximumLineLength else { throw OverlongLineError() }
        begun += part
    }
}

package enum GpsdError: Fault {
    case unreachable(GpsdAddress, reason: String)
    case closed(GpsdAddress)
    case overlong(GpsdAddress)
    case silent(GpsdAddress)
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
