internal import Quantities
internal import Tracking

/// The state of the vehicle after a record.
///
/// The keys that Home Assistant's templates read are present in every message.
struct VehicleState: Encodable {
    let state: String
    /// Speed in km/h.
    let speed: Double?
    /// The reading of the odometer in km.
    let odometer: Double
    let ignition: Bool?
    let voltage: Double?
    let time: String
    let event: String
    let trip: Int?
    let tag: String?
    let regions: [String]?

    enum CodingKeys: CodingKey { case state, speed, odometer, ignition, voltage, time, event, trip, tag, regions }

    init(_ record: Record) {
        state = record.isMoving ? "moving" : "parked"
        speed = record.kilometresPerHour
        odometer = (record.odometer.value / 1000).rounded(decimals: 3)
        ignition = record.ignition
        voltage = record.supply?.value.rounded(decimals: 2)
        time = record.time.description
        event = record.kind.rawValue
        trip = record.trip
        tag = record.tag
        regions = record.regions?.map(\.name)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(state, forKey: .state)
        try container.encode(speed, forKey: .speed)
        try container.encode(odometer, forKey: .odometer)
        try container.encode(ignition, forKey: .ignition)
        try container.encode(voltage, forKey: .voltage)
        try container.encode(time, forKey: .time)
        try container.encode(event, forKey: .event)
        try container.encodeIfPresent(trip, forKey: .trip)
        try container.encodeIfPresent(tag, forKey: .tag)
        try container.encodeIfPresent(regions, forKey: .regions)
    }
}

/// A position with the attributes that Home Assistant's device tracker reads.
struct VehiclePlace: Encodable {
    let latitude: Double
    let longitude: Double
    /// Whole metres, at least 1.
    let gps_accuracy: Int
    /// Metres above the sea.
    let altitude: Int?
    let course: Int?
    /// Speed in km/h.
    let speed: Double?
    let time: String

    init?(_ record: Record) {
        guard let position = record.position else { return nil }
        latitude = position.coordinate.latitude.rounded(decimals: 7)
        longitude = position.coordinate.longitude.rounded(decimals: 7)
        // Home Assistant treats a missing accuracy as an exact position.
        gps_accuracy = position.accuracy?.value.wholeNumber.map { max(1, $0) } ?? Self.unknownAccuracy
        altitude = position.altitude?.value.wholeNumber
        course = position.course?.value.wholeNumber.map { $0 % 360 }
        speed = record.kilometresPerHour
        time = record.time.description
    }

    /// The accuracy in metres if a receiver does not report its error; most receivers are more accurate.
    private static let unknownAccuracy = 50
}

extension Record {
    /// The speed in km/h; nil if unknown.
    ///
    /// While the vehicle is parked, the value is 0, because the receiver of a parked vehicle often reports a low speed.
    fileprivate var kilometresPerHour: Double? {
        isMoving ? position?.speed.map { ($0.value * 3.6).rounded(decimals: 1) } : 0
    }
}
