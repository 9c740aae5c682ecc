import JSON
package import Quantities
package import Store
import Tracking

/// One trip, with times in UTC; a member with an unknown value is left out.
package struct TripAnswer: Codable, Sendable, Hashable {
    package struct Place: Codable, Sendable, Hashable {
        package let lat: Double
        package let lon: Double

        package init(_ place: Coordinate) { (lat, lon) = (place.latitude, place.longitude) }
    }

    package let trip: Int
    package let name: String?
    let under_way: Bool
    package let began: String
    package let ended: String?
    package let start: Place?
    package let end: Place?
    let start_regions: [RegionName]?
    let end_regions: [RegionName]?
    package let distance_m: Double?
    let duration_s: Double?
    package let moving_s: Double?
    let idle_s: Double?
    let without_fix_s: Double?
    let top_speed_mps: Double?
    package let stops: Int?
    package let records: Int?
    package let vehicle: String?
    package let driver: String?
    package let tag: String?
    let external_id: String?
    package let metadata: [String: String]?

    package init(_ found: RecordedTrip) {
        let summary = found.summary
        trip = found.number
        name = found.name
        under_way = found.isUnderWay
        began = found.began.description
        ended = summary?.ended.description
        start = found.start.map(Place.init)
        end = summary?.end.map(Place.init)
        start_regions = found.startRegions.isEmpty ? nil : found.startRegions
        end_regions = found.endRegions.isEmpty ? nil : found.endRegions
        distance_m = found.distance.map { $0.value.rounded(decimals: 2) }
        duration_s = found.duration?.inSeconds
        moving_s = summary?.moving.inSeconds
        idle_s = summary?.idle.inSeconds
        without_fix_s = summary?.withoutFix.inSeconds
        top_speed_mps = summary?.topSpeed.map { $0.value.rounded(decimals: 2) }
        stops = summary?.stops
        records = summary?.records
        vehicle = found.vehicle
        driver = found.driver
        tag = found.tag
        external_id = found.report.externalID
        let pairs = found.report.metadata.map { ($0.key, $0.value) }
        metadata = pairs.isEmpty ? nil : Dictionary(pairs) { _, last in last }
    }
}
