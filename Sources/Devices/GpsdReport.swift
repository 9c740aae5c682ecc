package import Quantities

/// One epoch, or a part of it: gpsd's TPV.
///
/// What gpsd leaves out is `nil`.
package struct GpsdReport: Sendable, Hashable {
    /// 0 unknown, 1 no fix, 2 two-dimensional, 3 three-dimensional.
    package var mode: Int?
    /// The device that it comes from.
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
    /// Speed upwards; means nothing below mode 3.
    package var climb_mps: Double?
    /// Horizontal error, about 95 %.
    package var eph_m: Double?
    /// Error to the east, about 95 %.
    package var epx_m: Double?
    /// Error to the north, about 95 %.
    package var epy_m: Double?
    /// Vertical error, about 95 %.
    package var epv_m: Double?
    /// Error of the speed, about 95 %.
    package var eps_mps: Double?
    /// 0 none to 255 strong; gpsd sends it from release 3.26 on.
    package var jamming: Int?

    /// Makes a report of a mode alone.
    package init(mode: Int?) { self.mode = mode }
}

extension GpsdReport: Decodable {
    private enum Key: String, CodingKey {
        case mode, device, time, lat, lon, altMSL, altHAE, speed, track, climb, eph, epx, epy, epv, eps, jam
    }

    /// Reads a TPV.
    package init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: Key.self)
        mode = object.optional(.mode)
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

/// gpsd's dates, such as `2026-01-01T07:30:00.250Z`.
enum GpsdTime {
    /// Reads a date in UTC with four digits of a year, with or without a fraction of a second; `nil` when it is none.
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

    /// The milliseconds of `.25`; 0 of nothing.
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
