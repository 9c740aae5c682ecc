import Foundation
import Glibc

/// An administrator's operations on the lab's Bluetooth adapter.
enum BeaconAdapter {
    /// The protocol number of HCI; `HCIDEVUP` and `HCIDEVDOWN` of bluetooth/hci.h.
    private static let hci: Int32 = 1
    private static let (up, down) = (UInt(0x4004_48C9), UInt(0x4004_48CA))

    /// Switches the adapter on or off; returns whether this succeeded.
    static func isOn(_ isOn: Bool) -> Bool {
        let descriptor = socket(AF_BLUETOOTH, Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue), hci)
        defer { close(descriptor) }
        return ioctl(descriptor, isOn ? up : down, 0) == 0
    }

    /// Blocks the adapter by rfkill, or unblocks it.
    static func isBlocked(_ isBlocked: Bool) throws {
        let folder = "/sys/class/bluetooth/hci0"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        guard let name = names.first(where: { $0.hasPrefix("rfkill") }) else { throw POSIXError(.ENODEV) }
        try Lab.write(isBlocked ? "1" : "0", to: "\(folder)/\(name)/soft")
    }

    static func openDescriptors() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }

    /// A program that uses the adapter exclusively, through HCI's user channel.
    final class Owner {
        private let descriptor: Int32

        /// Switches the adapter off, and opens it.
        init() throws {
            descriptor = socket(AF_BLUETOOTH, Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue), BeaconAdapter.hci)
            _ = BeaconAdapter.isOn(true)
            // struct sockaddr_hci: the family, the adapter's number, and the channel; 1 is the user channel.
            var address: (UInt16, UInt16, UInt16) = (UInt16(AF_BLUETOOTH), 0, 1)
            let result = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
                    BeaconAdapter.isOn(false) ? bind(descriptor, name, 6) : -1
                }
            }
            guard result == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        }

        deinit { close(descriptor) }
    }
}
