import Control
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
        distance_m = summary.distance.value.tenths
        moving_s = summary.movingTime(at: end).tenths
        receiver_on_s = summary.receiverTime(at: end).tenths
        charge_mAh = currents.charge(over: end - start, receiverOn: summary.receiverTime(at: end)).tenths
        records = summary.records
        refused = Dictionary(uniqueKeysWithValues: summary.refused.map { ($0.rawValue, $1) })
    }

    private enum CodingKeys: CodingKey {
        case event, trips, stops, distance_m, moving_s, receiver_on_s, charge_mAh, records, refused
    }
}
