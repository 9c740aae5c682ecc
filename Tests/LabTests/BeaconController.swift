import Foundation
import Glibc
import Peers
import TestSupport
import Synchronization

/// A Bluetooth controller in Swift with its own thread, on the kernel's `/dev/vhci`.
///
/// While the object exists, the kernel has an adapter `hci0`.
///
/// The controller hears one beacon every 100 ms. It supports the fake controller's commands, and the kernel's commands to
/// bring an adapter up.
final class BeaconController: Sendable {
    struct Inside {
        var controller = FakeController()
        /// Whether the controller leaves commands without an answer.
        var isMute = false
        /// Whether the beacon is within range.
        var isHearing = true
        /// The number of reports of the beacon.
        var frames = 0
    }

    private let device: Int32
    private let stopping: (reader: Int32, writer: Int32)
    private let stopped = DispatchSemaphore(value: 0)
    private let inside: Mutex<Inside>

    /// Plugs the controller in, and waits until the kernel has registered it.
    init(knowsExtended: Bool = true) throws {
        var inside = Inside()
        inside.controller.knowsExtended = knowsExtended
        self.inside = Mutex(inside)
        device = open("/dev/vhci", O_RDWR | O_CLOEXEC)
        guard device >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        stopping = (ends[0], ends[1])
        // Makes a primary controller (drivers/bluetooth/hci_vhci.c).
        send([0xFF, 0x00])
        Thread.detachNewThread { self.run() }
        guard eventually({ LabBeacons.isPluggedIn }) else { throw PeerMissing(name: "the adapter") }
    }

    func unplug() {
        close(stopping.writer)
        stopped.wait()
        close(stopping.reader)
        close(device)
        _ = eventually { !LabBeacons.isPluggedIn }
    }

    @discardableResult
    func touch<Result>(_ body: (inout Inside) -> Result) -> Result where Result: Sendable {
        inside.withLock { inside in body(&inside) }
    }

    var scan: FakeController.Scan? { touch { $0.controller.scan } }

    func send(_ packet: [UInt8]) { _ = write(device, packet, packet.count) }

    private func run() {
        var entries = [
            pollfd(fd: device, events: Int16(POLLIN), revents: 0),
            pollfd(fd: stopping.reader, events: Int16(POLLIN), revents: 0),
        ]
        var packet = [UInt8](repeating: 0, count: 2048)
        while poll(&entries, 2, 100) >= 0 || errno == EINTR, entries[1].revents == 0 {
            guard entries[0].revents != 0 else {
                hear()
                continue
            }
            let count = read(device, &packet, packet.count)
            if count > 3, packet[0] == 0x01 { answer(Array(packet[..<count])) }
        }
        stopped.signal()
    }

    private func hear() {
        let report = touch { inside in
            let report = inside.isHearing ? inside.controller.report(Self.beaconData, rssi: -67) : nil
            if report != nil { inside.frames += 1 }
            return report
        }
        if let report { send(report) }
    }

    private func answer(_ command: [UInt8]) {
        let opcode = Int(command[2]) << 8 | Int(command[1])
        let answer = touch { inside -> [UInt8] in
            if inside.isMute { return [] }
            guard let returned = Self.initialisation[opcode] else { return inside.controller.answer(command) }
            return [0x04, 0x0E, UInt8(4 + returned.count), 0x01, command[1], command[2], 0x00] + returned
        }
        if !answer.isEmpty { send(answer) }
    }

    /// An iBeacon's advertising data: 6d1f2a90-4c3e-4b7a-9e55-0a1b2c3d4e5f, 1, 7, −59 dBm at 1 m.
    static let beaconData: [UInt8] = [
        0x02, 0x01, 0x06, 0x1A, 0xFF, 0x4C, 0x00, 0x02, 0x15, 0x6D, 0x1F, 0x2A, 0x90, 0x4C, 0x3E, 0x4B, 0x7A, 0x9E,
        0x55,
        0x0A, 0x1B, 0x2C, 0x3D, 0x4E, 0x5F, 0x00, 0x01, 0x00, 0x07, 0xC5,
    ]

    /// The kernel's commands to an adapter that has only Low Energy, and the bytes after the status in each answer.
    private static let initialisation: [Int: [UInt8]] = [
        0x1001: [9, 0, 0, 9, 0xFF, 0xFF, 0, 0],
        0x1002: zeros(64),
        0x1003: [0, 0, 0, 0, 0x60, 0, 0, 0],
        0x1005: [27, 0, 0, 4, 0, 0, 0],
        0x1009: [1, 0, 0, 0xEF, 0xBE, 0],
        0x2002: [27, 0, 4],
        0x2001: [],
        0x0C01: [],
        0x0C13: [],
        0x0C14: zeros(248),
        0x0C23: zeros(3),
        0x0C25: zeros(2),
        0x2005: [],
        0x2007: [0],
        0x200F: [0],
        0x201C: zeros(8),
        0x2023: zeros(4),
        0x202A: [0],
        0x202F: zeros(8),
        0x203A: zeros(2),
        0x203B: [0],
        0x204B: zeros(2),
    ]

    private static func zeros(_ count: Int) -> [UInt8] { Array(repeating: 0, count: count) }
}
