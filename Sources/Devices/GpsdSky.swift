/// The satellites and how well they stand: gpsd's SKY.
///
/// What gpsd leaves out is `nil`.
struct GpsdSky: Decodable {
    /// One of the satellites.
    struct Satellite: Decodable {
        let isUsed: Bool

        private enum Key: String, CodingKey { case used }

        init(from decoder: any Decoder) throws {
            isUsed = try decoder.container(keyedBy: Key.self).optional(.used) ?? false
        }
    }

    /// Satellites used and in view, as gpsd counts them.
    let used: Int?
    let seen: Int?
    /// The list, which earlier releases have to be counted from.
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
