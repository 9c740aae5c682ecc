/// Whose a trip is, as far as beacons have told, and what its records are tagged with.
struct TripLabels: Sendable, Hashable, Codable {
    var vehicle: String?
    var driver: String?
    var tag: String?

    /// With the names of an earlier part of the trip, where none was heard since; the tag is the one in force.
    func completed(by earlier: TripLabels?) -> TripLabels {
        TripLabels(vehicle: vehicle ?? earlier?.vehicle, driver: driver ?? earlier?.driver, tag: tag)
    }
}
