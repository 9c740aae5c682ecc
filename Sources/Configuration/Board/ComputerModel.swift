import FoundationEssentials
import Glibc

/// From the device tree.
package struct ComputerModel: Sendable, Hashable {
    package static let automatic = "auto"

    /// Such as `Raspberry Pi 4 Model B Rev 1.4`.
    package let name: String

    package init(name: String) { self.name = name }

    /// Nil without a device tree, as on a PC.
    package static var this: ComputerModel? { read("/proc/device-tree/model").map(ComputerModel.init) }

    package static var serialNumber: String? { read("/proc/device-tree/serial-number") }

    package func isA(_ model: String) -> Bool { name == model || name.hasPrefix(model + " ") }

    /// The text ends with a zero byte.
    private static func read(_ path: String) -> String? {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        let text = String(decoding: data.prefix { $0 != 0 }, as: UTF8.self)
        return text.isEmpty ? nil : text
    }
}

/// The tracker's name may contain placeholders, so that one image suits all computers of a fleet.
package enum DeviceName {
    package static let hostname = "{hostname}"
    package static let serial = "{serial}"

    /// Nil if the name contains `{serial}` and the computer has none.
    static func expand(
        _ name: String, hostname: String = ownHostname, serialNumber: String? = ComputerModel.serialNumber
    ) -> String? {
        let name = name.replacing(Self.hostname, with: hostname)
        guard name.contains(serial) else { return name }
        return serialNumber.map { name.replacing(serial, with: $0) }
    }

    private static var ownHostname: String {
        var bytes = [CChar](repeating: 0, count: 256)
        guard gethostname(&bytes, bytes.count - 1) == 0 else { return "tracker" }
        return String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
