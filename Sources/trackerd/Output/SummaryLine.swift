import Hardware
import Quantities
import Tracking

struct SummaryLine: Encodable {
    let event = "summary"
    let trips: Int
    let stops: Int
    let distance_m: Double
    let moving_s: Double
    let receiver_on_s: Double
    let charge_mAh: Double
    let records: Int
    let refused: [String: Int]

    init(_ summary: DriveSummary, currents: Currents, from start: Instant, to end: Instant) {
        trips = summary.trips
        stops = summary.stops
        distance_m = Self.rounded(summary.distance.value)
        moving_s = Self.rounded(summary.movingTime(at: end).inSeconds)
        receiver_on_s = Self.rounded(summary.receiverTime(at: end).inSeconds)
        charge_mAh = Self.rounded(currents.charge(over: end - start, receiverOn: summary.receiverTime(at: end)))
        records = summary.records
        refused = Dictionary(uniqueKeysWithValues: summary.refused.map { ($0.rawValue, $1) })
    }

    private static func rounded(_ value: Double) -> Double { (value * 10).rounded() / 10 }

    private enum CodingKeys: CodingKey {
        case event, trips, stops, distance_m, moving_s, receiver_on_s, charge_mAh, records, refused
    }
}
