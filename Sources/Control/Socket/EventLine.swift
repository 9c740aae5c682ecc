import Formats
package import JSON
package import Quantities
package import Tracking

/// One line of `replay`, `run --events` or `watch`: a JSON object.
package struct EventLine: Encodable {
    /// Seconds since the drive or the program began.
    let t: Double
    package let event: String
    /// The time of the event, only in `watch`.
    package var at: String?
    package var state: String?
    package var power: String?
    package var kind: String?
    package var time: String?
    package var lat: Double?
    package var lon: Double?
    package var speed_mps: Double?
    package var accuracy_m: Double?
    package var moving: Bool?
    package var trip: Int?
    package var odometer_m: Double?
    package var tag: String?
    package var vehicle: String?
    package var driver: String?
    package var regions: [RegionName]?
    package var trigger: String?
    package var solution: String?
    package var ignition: Bool?
    package var supply_V: Double?
    package var payload: JSONValue?
    package var sequence: Int64?
    package var reason: String?
    package var subject: String?
    package var text: String?

    private init(_ event: String, at now: Instant, since start: Instant) {
        t = (now - start).thousandths
        self.event = event
    }

    /// Nil for internal effects such as timers.
    package init?(_ effect: Effect, stored: StoredRecord? = nil, at now: Instant, since start: Instant) {
        switch effect {
        case .arm, .cancel, .motionSensor, .scan, .correctTimestamps, .uploads, .deliver, .queueRules, .fetchRegions,
            .light, .halt, .recover:
            return nil
        case .record(let record):
            self.init("record", at: now, since: start)
            describe(record)
            sequence = stored?.sequence
        case .receiver(let isOn):
            self.init("receiver", at: now, since: start)
            power = isOn ? "on" : "off"
        case .state(let isMoving):
            self.init("state", at: now, since: start)
            state = isMoving ? "moving" : "stationary"
        case .refused(let refusal):
            self.init("refused", at: now, since: start)
            reason = refusal.rawValue
        case .decided(let decision):
            self.init("decision", at: now, since: start)
            subject = decision.subject.rawValue
            text = decision.text
        }
    }

    private mutating func describe(_ record: Record) {
        kind = record.kind.rawValue
        time = record.time.description
        // Seven decimals of a degree are about a centimetre.
        lat = record.position.map { $0.coordinate.latitude.rounded(decimals: 7) }
        lon = record.position.map { $0.coordinate.longitude.rounded(decimals: 7) }
        speed_mps = record.position?.speed?.value
        accuracy_m = record.position?.accuracy?.value
        moving = record.isMoving
        trip = record.trip
        odometer_m = record.odometer.value.tenths
        tag = record.tag
        vehicle = record.vehicle
        driver = record.driver
        regions = record.regions
        trigger = record.trigger?.rawValue
        solution = record.position?.solution?.rawValue
        ignition = record.ignition
        supply_V = record.supply?.value
        payload = RecordPayload.json(of: record.content)
    }
}
