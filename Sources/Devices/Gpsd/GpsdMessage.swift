import JSON
package import Quantities

/// A line from gpsd (gpsd_json(5)). Malformed JSON is refused as a whole; a value of an unexpected type becomes nil; other
/// classes and keys are ignored.
package enum GpsdMessage: Sendable, Hashable {
    case report(GpsdReport)
    /// gpsd may omit the device.
    case sky(SkyReport, device: String?)
    case devices([GpsdDevice])
    /// A device was opened, closed, or added to the list.
    case device(GpsdDevice)
    case other

    /// Nil if the line is malformed or states no class.
    package init?(line: [UInt8]) {
        guard let object = JSONDocument(line)?.root, let name = object["class"]?.string else { return nil }
        self.init(object, class: name)
    }

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
    package let path: String
    package let isActive: Bool

    /// Returns at most eight names.
    static func names(_ devices: [GpsdDevice]) -> [String] { devices.prefix(8).map { $0.path.printable() } }
}

extension GpsdDevice {
    /// While the device is closed, gpsd omits the time of opening, or writes 0.
    fileprivate init?(_ object: JSONValueView) {
        guard let path = object["path"]?.string else { return nil }
        self.path = path
        let opened = object["activated"]
        isActive = opened?.string.flatMap(GpsdTime.read).map { $0.seconds > 0 } ?? ((opened?.double ?? 0) > 0)
    }
}

/// gpsd's TPV: an epoch, or a part of one.
package struct GpsdReport: Sendable, Hashable {
    /// The kind of fix: 0 unknown, 1 no fix, 2 two-dimensional, 3 three-dimensional.
    package var mode: Int?
    /// The source of the position: 1 and 2 satellites, 3 and 4 RTK, 5 dead reckoning, 6 satellites and dead reckoning, 8
    /// simulated (gpsd_json(5)).
    package var status: Int?
    package var device: String?
    package var time: Timestamp?
    package var latitude_deg: Double?
    package var longitude_deg: Double?
    package var altitudeMSL_m: Double?
    package var altitudeEllipsoid_m: Double?
    package var speed_mps: Double?
    package var course_deg: Double?
    /// Invalid below mode 3.
    package var climb_mps: Double?
    package var eph_m: Double?
    package var epx_m: Double?
    package var epy_m: Double?
    package var epv_m: Double?
    package var eps_mps: Double?
    /// 0 (none) to 255 (strong), since gpsd 3.26.
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

enum GpsdTime {
    /// Reads an ISO 8601 time in UTC, with or without a fraction of a second.
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

    /// Reads a fraction such as `.25` as milliseconds.
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
