import FoundationEssentials
package import Quantities

/// One line from gpsd.
///
/// The parser refuses malformed JSON as a whole, and treats a value of an unexpected type as missing.
///
/// The protocol is gpsd_json(5). The parser ignores classes and keys that the program does not need.
package enum GpsdMessage: Sendable, Hashable {
    /// Time, position and velocity.
    case report(GpsdReport)
    /// The satellites that a receiver sees; gpsd may omit the name of the device.
    case sky(SkyReport, device: String?)
    /// The devices that gpsd knows.
    case devices([GpsdDevice])
    /// gpsd has opened or closed a device, or has added it to its list.
    case device(GpsdDevice)
    /// Another class of message.
    case other

    /// Reads a line; nil if the line is not a JSON object with a class.
    package init?(line: [UInt8]) {
        guard let message = try? JSONDecoder().decode(Self.self, from: Data(line)) else { return nil }
        self = message
    }
}

/// A device that gpsd knows.
package struct GpsdDevice: Sendable, Hashable {
    /// The device's path, as gpsd writes it.
    package let path: String
    /// Whether gpsd has opened the device.
    package let isActive: Bool

    /// Returns the paths as messages quote them, at most eight.
    static func names(_ devices: [GpsdDevice]) -> [String] { devices.prefix(8).map { $0.path.printable() } }
}

extension GpsdMessage: Decodable {
    private enum Key: String, CodingKey { case `class`, device, devices }

    /// Reads the class, and the members that belong to the class.
    package init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: Key.self)
        switch try object.decode(String.self, forKey: .class) {
        case "TPV": self = .report(try GpsdReport(from: decoder))
        case "SKY": self = .sky(SkyReport(try GpsdSky(from: decoder)), device: object.optional(.device))
        case "DEVICES":
            let entries: [DeviceEntry]? = object.optional(.devices)
            let devices = entries?.compactMap(\.device)
            // If the list has entries but none is readable, gpsd may still have devices.
            self = devices.map { $0.isEmpty && entries?.isEmpty == false ? .other : .devices($0) } ?? .other
        case "DEVICE": self = (try? GpsdDevice(from: decoder)).map(GpsdMessage.device) ?? .other
        default: self = .other
        }
    }
}

/// An element of gpsd's list of devices; an unreadable element does not affect the other elements.
private struct DeviceEntry: Decodable {
    let device: GpsdDevice?

    init(from decoder: any Decoder) throws { device = try? GpsdDevice(from: decoder) }
}

extension GpsdDevice: Decodable {
    private enum Key: String, CodingKey { case path, activated }

    /// Reads a device; gpsd omits the time of opening, or writes 0, while the device is closed.
    package init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: Key.self)
        path = try object.decode(String.self, forKey: .path)
        let opened: String? = object.optional(.activated)
        let openedAt_s: Double? = object.optional(.activated)
        isActive = opened.flatMap(GpsdTime.read).map { $0.seconds > 0 } ?? ((openedAt_s ?? 0) > 0)
    }
}

extension KeyedDecodingContainer {
    /// Returns the value of a key; nil if the value is missing or has another type.
    func optional<Value: Decodable>(_ key: Key) -> Value? {
        guard contains(key) else { return nil }
        return try? decode(Value.self, forKey: key)
    }
}

/// One epoch, or a part of an epoch: gpsd's TPV.
///
/// A value that gpsd omits is nil.
package struct GpsdReport: Sendable, Hashable {
    /// 0 unknown, 1 no fix, 2 two-dimensional, 3 three-dimensional.
    package var mode: Int?
    /// The source of the position: 1 and 2 satellites, 3 and 4 RTK, 5 dead reckoning, 6 satellites and dead reckoning, 8
    /// simulated (gpsd_json(5)).
    package var status: Int?
    /// The device that sent the report.
    package var device: String?
    /// The time in UTC.
    package var time: Timestamp?
    /// Latitude.
    package var latitude_deg: Double?
    /// Longitude.
    package var longitude_deg: Double?
    /// Height above mean sea level.
    package var altitudeMSL_m: Double?
    /// Height above the ellipsoid.
    package var altitudeEllipsoid_m: Double?
    /// Speed over ground.
    package var speed_mps: Double?
    /// Course over ground, from true north.
    package var course_deg: Double?
    /// Speed upwards; invalid if the mode is below 3.
    package var climb_mps: Double?
    /// Horizontal error, with a confidence of about 95 %.
    package var eph_m: Double?
    /// Error to the east, with a confidence of about 95 %.
    package var epx_m: Double?
    /// Error to the north, with a confidence of about 95 %.
    package var epy_m: Double?
    /// Vertical error, with a confidence of about 95 %.
    package var epv_m: Double?
    /// Error of the speed, with a confidence of about 95 %.
    package var eps_mps: Double?
    /// The jamming level from 0 (none) to 255 (strong); gpsd sends this value since release 3.26.
    package var jamming: Int?

    /// Makes a report with only a mode.
    package init(mode: Int?) { self.mode = mode }
}

extension GpsdReport: Decodable {
    private enum Key: String, CodingKey {
        case mode, status, device, time, lat, lon, altMSL, altHAE, speed, track, climb, eph, epx, epy, epv, eps, jam
    }

    /// Reads a TPV.
    package init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: Key.self)
        mode = object.optional(.mode)
        status = object.optional(.status)
        device = object.optional(.device)
        let date: String? = object.optional(.time)
        time = date.flatMap(GpsdTime.read)
        latitude_deg = object.optional(.lat)
        longitude_deg = object.optional(.lon)
        altitudeMSL_m = object.optional(.altMSL)
        altitudeEllipsoid_m = object.optional(.altHAE)
        speed_mps = object.optional(.speed)
        course_deg = object.optional(.track)
        climb_mps = object.optional(.climb)
        eph_m = object.optional(.eph)
        epx_m = object.optional(.epx)
        epy_m = object.optional(.epy)
        epv_m = object.optional(.epv)
        eps_mps = object.optional(.eps)
        jamming = object.optional(.jam)
    }
}

/// The dates that gpsd writes, such as `2026-01-01T07:30:00.250Z`.
enum GpsdTime {
    /// Reads a UTC date with a four-digit year, with or without a fraction of a second; nil if the text is not such a date.
    static func read(_ text: String) -> Timestamp? {
        let bytes = Array(text.utf8)
        let isShaped = (20...30).contains(bytes.count) && bytes[4] == minus && bytes[7] == minus && bytes[10] == letterT
        guard isShaped, bytes[13] == colon, bytes[16] == colon, bytes.last == letterZ,
            let year = number(bytes[0..<4]), let month = number(bytes[5..<7]), let day = number(bytes[8..<10]),
            let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16]), let second = number(bytes[17..<19]),
            let fraction_ms = milliseconds(bytes[19..<(bytes.count - 1)]),
            1...12 ~= month, 1...31 ~= day, hour < 24, minute < 60, second <= 60
        else { return nil }
        let seconds = hour * 3600 + minute * 60 + second
        return Timestamp(year: year, month: month, day: day) + .milliseconds(seconds * 1000 + fraction_ms)
    }

    /// Reads a fraction such as `.25` and returns milliseconds; 0 if there is no fraction.
    private static func milliseconds(_ text: ArraySlice<UInt8>) -> Int? {
        guard let point = text.first else { return 0 }
        let digits = text.dropFirst()
        guard point == UInt8(ascii: "."), let number = number(digits.prefix(3)), self.number(digits) != nil else {
            return nil
        }
        return digits.count == 1 ? number * 100 : digits.count == 2 ? number * 10 : number
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard !digits.isEmpty, digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    private static let minus = UInt8(ascii: "-")
    private static let colon = UInt8(ascii: ":")
    private static let letterT = UInt8(ascii: "T")
    private static let letterZ = UInt8(ascii: "Z")
}

/// The satellites and their dilutions of precision: gpsd's SKY.
///
/// A value that gpsd omits is nil.
struct GpsdSky: Decodable {
    /// One of the satellites.
    struct Satellite: Decodable {
        let isUsed: Bool

        private enum Key: String, CodingKey { case used }

        init(from decoder: any Decoder) throws {
            isUsed = try decoder.container(keyedBy: Key.self).optional(.used) ?? false
        }
    }

    /// The numbers of used satellites and of satellites in view, as gpsd counted them.
    let used: Int?
    let seen: Int?
    /// The list of satellites; nil if gpsd counted both numbers.
    ///
    /// Earlier releases of gpsd send only this list, and trackerd counts its entries.
    let satellites: [Satellite?]?
    let hdop: Double?
    let vdop: Double?
    let pdop: Double?
    let tdop: Double?
    let gdop: Double?
    let xdop: Double?
    let ydop: Double?

    private enum Key: String, CodingKey {
        case uSat, nSat, satellites, hdop, vdop, pdop, tdop, gdop, xdop, ydop
    }

    init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: Key.self)
        used = object.optional(.uSat)
        seen = object.optional(.nSat)
        satellites = used == nil || seen == nil ? object.optional(.satellites) : nil
        hdop = object.optional(.hdop)
        vdop = object.optional(.vdop)
        pdop = object.optional(.pdop)
        tdop = object.optional(.tdop)
        gdop = object.optional(.gdop)
        xdop = object.optional(.xdop)
        ydop = object.optional(.ydop)
    }
}
