import Glibc

/// The tracker's name.
///
/// The name may contain placeholders. One image then suits all computers of a fleet.
package enum DeviceName {
    /// The placeholder for the name of the computer.
    package static let hostname = "{hostname}"
    /// The placeholder for the serial number of the computer.
    package static let serial = "{serial}"

    /// Returns the name with the computer's values; nil if the name contains `{serial}` and the computer has no serial number.
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
