import FoundationEssentials
import Quantities

/// One line of gpsd's, read strictly: malformed JSON is refused as a whole, a value of an unexpected type counts as missing.
///
/// The protocol is gpsd_json(5). Classes and keys that are not listed here are skipped.
package enum GpsdMessage: Sendable, Hashable {
    /// Time, position and velocity.
    case report(GpsdReport)
    /// The satellites, as a receiver sees them; gpsd may leave out which one.
    case sky(Sky, device: String?)
    /// The devices that gpsd has.
    case devices([GpsdDevice])
    /// Another class of message.
    case other

    /// Reads a line; `nil` if it is no JSON object with a class.
    package init?(line: [UInt8]) {
        guard let message = try? JSONDecoder().decode(Self.self, from: Data(line)) else { return nil }
        self = message
    }
}

/// A device that gpsd knows.
package struct GpsdDevice: Sendable, Hashable {
    /// Its path, as gpsd writes it.
    package let path: String
    /// Whether gpsd has it open.
    package let isActive: Bool
}

extension GpsdMessage: Decodable {
    private enum Key: String, CodingKey { case `class`, device, devices }

    /// Reads the class, and what belongs to it.
    package init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: Key.self)
        switch try object.decode(String.self, forKey: .class) {
        case "TPV": self = .report(try GpsdReport(from: decoder))
        case "SKY": self = .sky(Sky(try GpsdSky(from: decoder)), device: object.optional(.device))
        case "DEVICES":
            let entries: [DeviceEntry]? = object.optional(.devices)
            let devices = entries?.compactMap(\.device)
            // A list of which nothing is understood does not say that there is no device.
            self = devices.map { $0.isEmpty && entries?.isEmpty == false ? .other : .devices($0) } ?? .other
        default: self = .other
        }
    }
}

/// An element of gpsd's list of devices; one that is no device does not spoil the others.
private struct DeviceEntry: Decodable {
    let device: GpsdDevice?

    init(from decoder: any Decoder) throws { device = try? GpsdDevice(from: decoder) }
}

extension GpsdDevice: Decodable {
    private enum Key: String, CodingKey { case path, activated }

    /// Reads a device; gpsd leaves the time of opening out, or writes 0, while it does not have the device open.
    package init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: Key.self)
        path = try object.decode(String.self, forKey: .path)
        let opened: String? = object.optional(.activated)
        let openedAt_s: Double? = object.optional(.activated)
        isActive = opened.flatMap(GpsdTime.read).map { $0.seconds > 0 } ?? ((openedAt_s ?? 0) > 0)
    }
}

extension KeyedDecodingContainer {
    /// The value of a key; `nil` when it is missing or of another type.
    func optional<Value: Decodable>(_ key: Key) -> Value? {
        guard contains(key) else { return nil }
        return try? decode(Value.self, forKey: key)
    }
}
