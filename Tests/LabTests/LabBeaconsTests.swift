import Glibc
import Peers
import Testing

extension InTheLab {
    @Suite("The lab's Bluetooth adapter")
    struct LabBeaconsTests {
        /// The protocol number of HCI, and `HCIDEVUP` of bluetooth/hci.h.
        private static let (hci, up) = (Int32(1), UInt(0x4004_48C9))

        @Test("The lab's adapter exists while it is plugged in, and can be brought up.")
        func plugged() throws {
            let adapter = try LabBeacons([.init(uuid: "e2c56db5-dffb-48d2-b060-d0f5a71096e0", major: 1, minor: 2)])
            let descriptor = socket(AF_BLUETOOTH, Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue), Self.hci)
            defer { close(descriptor) }
            try #require(descriptor >= 0)
            // The kernel keeps a new adapter up for two seconds.
            #expect(ioctl(descriptor, Self.up, 0) == 0 || errno == EALREADY)
            #expect(eventually { LabBeacons.asked["scan"] == 0 })
            adapter.unplug()
            #expect(eventually { !LabBeacons.isPluggedIn })
        }
    }
}
