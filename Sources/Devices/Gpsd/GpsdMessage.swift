import JSON
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
    case devices([GpsdDevice])
    /// gpsd has opened or closed a device, or has added it to its list.
    case device(GpsdDevice)
    /// Another class of message.
    case other

    /// Reads a line; nil if the line is not a JSON object with a class.
    package init?(line: [UInt8]) {
        guard let object = JSONDocument(line)?.root, let name = object["class"]?.string else { return nil }
        self.init(object, class: name)
    }

    /// Reads the members that belong to the class.
    private init(_ object: JSONValueView, class name: String) {
        switch name {
        case "TPV": self = .report(GpsdReport(object))
        case "SKY": self = .sky(SkyReport(object), device: object["device"]?.string)
        case "DEVICES":
            let entries = object["devices"]?.elements
            let devices = entries?.compactMap(GpsdDevice.init)
            // If the list has entries but none is readable, gpsd may still have devices.
            self = devices.map { $0.isEmpty && entries?.isEmpty == false ? .other : .devices($0) } ?? .other
        case "DEVICE": self = GpsdDevice(object).map(GpsdMessage.device) ?? .other
        default: self = .other
        }
    }
}

package struct GpsdDevice: Sendable, Hashable {
    /// The device's path, as gpsd writes it.
    package let path: String
    /// Whether gpsd has opened the device.
    package let isActive: Bool

    /// Returns the paths as messages quote them, at most eight.
    static func names(_ devices: [GpsdDevice]) -> [String] { devices.prefix(8).map { $0.path.printable() } }
}

extension GpsdDevice {
    /// Reads a device; gpsd omits the time of opening, or writes 0, while the device is closed.
    fileprivate init?(_ object: JSONValueView) {
        guard let path = object["path"]?.string else { return nil }
        self.path = path
        let opened = object["activated"]
        isActive = opened?.string.flatMap(GpsdTime.read).map { $0.seconds > 0 } ?? ((opened?.double ?? 0) > 0)
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
    package var device: String?
    /// The time in UTC.
    package var time: Timestamp?
    package var latitude_deg: Double?
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

    package init(mode: Int?) { self.mode = mode }
}

extension GpsdReport {
    fileprivate init(_ object: JSONValueView) {
        mode = object["mode"]?.integer
        status = object["status"]?.integer
        device = object["device"]?.string
        time = object["time"]?.string.flatMap(GpsdTime.read)
        latitude_deg = object["lat"]?.double
        longitude_deg = object["lon"]?.double
        altitudeMSL_m = object["altMSL"]?.double
        altitudeEllipsoid_m = object["altHAE"]?.double
        speed_mps = object["speed"]?.double
        course_deg = object["track"]?.double
        climb_mps = object["climb"]?.double
        eph_m = object["eph"]?.double
        epx_m = object["epx"]?.double
        epy_m = object["epy"]?.double
        epv_m = object["epv"]?.double
        eps_mps = object["eps"]?.double
        jamming = object["jam"]?.integer
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
