import Foundation
import Glibc

/// What an administrator does to the lab's Bluetooth adapter.
enum BeaconAdapter {
    /// The protocol number of HCI; `HCIDEVUP` and `HCIDEVDOWN` of bluetooth/hci.h.
    private static let hci: Int32 = 1
    private static let (up, down) = (UInt(0x4004_48C9), UInt(0x4004_48CA))

    /// Switches it on or off; whether that worked.
    static func isOn(_ isOn: Bool) -> Bool {
        let descriptor = socket(AF_BLUETOOTH, Int32(SOCK_RAW.rawValue), hci)
        defer { close(descriptor) }
        return ioctl(descriptor, isOn ? up : down, 0) == 0
    }

    /// Switches it off by rfkill, or takes that back.
    static func isBlocked(_ isBlocked: Bool) throws {
        let folder = "/sys/class/bluetooth/hci0"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        guard let name = names.first(where: { $0.hasPrefix("rfkill") }) else { throw POSIXError(.ENODEV) }
        try Lab.write(isBlocked ? "1" : "0", to: "\(folder)/\(name)/soft")
    }

    /// How many descriptors this program has open.
    static func openDescriptors() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }

    /// A program that has it for itself, by HCI's user channel.
    final class Owner {
        private let descriptor: Int32

        /// Takes it, once it is off.
        init() throws {
            descriptor = socket(AF_BLUETOOTH, Int32(SOCK_RAW.rawValue), BeaconAdapter.hci)
            _ = BeaconAdapter.isOn(true)
            // struct sockaddr_hci: the family, the adapter's number, and the channel, of which 1 is the user channel.
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
