import Quantities
import Tracking

struct ReportEvent: Sendable, Hashable {
    let time: Timestamp
    let text: String

    /// Nil if other parts of the report show the record, or if it is of no interest.
    init?(_ record: Record) {
        guard let text = Self.text(record.content) else { return nil }
        (time, self.text) = (record.time, text)
    }

    private static func text(_ content: Record.Content) -> String? {
        switch content {
        case .transition(let transition): Self.text(transition)
        case .driving(let event): Self.text(event)
        case .providerchange(let change): Self.text(change.state)
        case .power(let change, _): Self.text(change)
        case .health(let report):
            [Self.text(report.change), report.reason].compactMap(\.self).joined(separator: ": ")
        case .request(let answer): answer.failure.map { "A location request failed: \($0)" }
        case .order(let order):
            "The server of \(order.target) sent the order \(order.request): \(order.isAccepted ? "carried out" : "refused")"
        case .location, .motionchange, .visit, .waypoint, .trip, .ping, .optionschange: nil
        }
    }

    private static func text(_ transition: Transition) -> String {
        let inside = transition.inside.map { " after \(ReportText.duration($0))" } ?? ""
        switch transition.direction {
        case .enter: return "Entered \(transition.region.name)"
        case .leave: return "Left \(transition.region.name)\(inside)"
        case .dwell: return "Still in \(transition.region.name)\(inside)"
        }
    }

    private static func text(_ event: DrivingEvent) -> String {
        let kind =
            switch event.kind {
            case .braking: "Harsh braking"
            case .acceleration: "Harsh acceleration"
            case .cornering: "Harsh cornering"
            case .impact: "Impact"
            case .tow: "The parked vehicle was lifted or towed"
            case .overspeed: "Overspeed began"
            case .overspeedEnded: "Overspeed ended after \(ReportText.duration(event.lasted))"
            }
        if let top = event.topSpeed, let limit = event.limit {
            return "\(kind), up to \(ReportText.speed(top)), limit \(ReportText.speed(limit))"
        }
        guard let peak = event.peak, let number = PlainText.number(peak.value, decimals: 1) else { return kind }
        return "\(kind), up to \(number) m/s²"
    }

    private static func text(_ state: ProviderChange.State) -> String {
        switch state {
        case .available: "The receiver has a fix again"
        case .silent: "The receiver does not report"
        case .frozen: "The receiver repeats the same report"
        case .noFix: "The receiver has no fix"
        case .unswitchable: "The receiver cannot be switched"
        case .jammed: "The receiver is jammed"
        case .jammingEnded: "The receiver is no longer jammed"
        }
    }

    private static func text(_ change: PowerChange) -> String {
        switch change {
        case .started: "trackerd started"
        case .shutdown: "trackerd ended"
        case .supplyLost: "The supply was lost"
        case .supplyLow: "The vehicle's battery is low"
        case .supplyBack: "The supply is back"
        case .ignitionOn: "Ignition on"
        case .ignitionOff: "Ignition off"
        }
    }

    private static func text(_ change: HealthChange) -> String {
        switch change {
        case .accelerometerLost: "The accelerometer does not answer"
        case .accelerometerBack: "The accelerometer answers again"
        case .busErrors: "Many transfers to the accelerometer fail"
        case .busBack: "The transfers to the accelerometer succeed again"
        case .storageFailing: "The disk does not accept records"
        case .storageBack: "The disk accepts records again"
        case .databaseSetAside: "The database was damaged and replaced"
        case .databaseExchanged: "Another file replaced the database"
        case .recordsMissing: "Records of a damaged database are missing"
        case .recordsRemoved: "trackerd removed records before every target had received them"
        case .clockNotSet: "The clock is not set"
        case .clockSet: "The clock was set"
        case .sentTimesWrong: "Servers have received records with wrong times"
        case .haltRefused: "The board was not halted"
        case .privacyBegan: "A private period began"
        case .privacyEnded: "The private period ended"
        case .safeMode: "trackerd started in safe mode"
        }
    }
}
