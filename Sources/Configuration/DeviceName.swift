import Glibc

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
