import Compatibility
package import Quantities
package import Tracking

package struct StartTripRequest: ControlRequest {
    package static let tripID = ControlKey("tripId", "your ID for the trip, such as an order number")
    package static let metadata = ControlKey("metadata", "an object of strings that are recorded with the trip")
    package static let permission: RemotePermission? = .trip
    package static let manual = ControlManual(
        "trip start", "Starts a trip, which continues through all stops until `trip end`.", keys: [tripID, metadata],
        command: "`trackerd trip start --id 7 --metadata driver=Ada`")

    /// The limit bounds the size of the records of a trip's start and end, because each contains all metadata.
    private static let mostMetadata = 64

    package let report: TripReport

    package init?(_ reader: inout RequestReader) {
        var lines: [TripReport.Entry] = []
        let tripID = reader.text(Self.tripID)
        let entries = reader.object(Self.metadata) ?? []
        if entries.count > Self.mostMetadata {
            reader.note("`metadata` has more than \(Self.mostMetadata) keys.")
        }
        for entry in entries.prefix(Self.mostMetadata) where reader.accept(entry.key, as: "metadata") {
            let key = "metadata.\(entry.key)"
            switch entry.value {
            case .text(let text): if reader.accept(text, as: key) { lines.append(.init(key: entry.key, value: text)) }
            case .empty: lines.append(.init(key: entry.key, value: ""))
            case .mapping, .list: reader.note("`\(key)` must be a string.")
            }
        }
        report = TripReport(externalID: tripID, metadata: lines)
    }

    package func run(in session: any Session) throws(ControlError) -> ControlOutcome? {
        try session.checkPrivacy("starts no trip")
        let change = session.handle(.command(.startTrip(report)))
        let isNew = change.records.contains { $0.record.kind == .trip }
        let number = change.after.state.logbook.trips.number.map(String.init) ?? ""
        return change.outcome("Trip \(number) \(isNew ? "has started" : "is already under way").")
    }
}

package struct EndTripRequest: KeylessRequest {
    package static let permission: RemotePermission? = .trip
    package static let manual = ControlManual(
        "trip end", "Ends the trip that you started by hand.", command: "`trackerd trip end`")

    package func run(in session: any Session) throws(ControlError) -> ControlOutcome? {
        let change = session.handle(.command(.endTrip))
        for case .trip(let report) in change.records.map(\.record.content) {
            guard let number = report.number, let summary = report.summary else { continue }
            let span = Int((summary.ended - summary.started).inSeconds.rounded())
            return change.outcome("Trip \(number) has ended: \(summary.distance.kilometres) in \(span) s.")
        }
        throw ControlError(
            "no trip that you started by hand is under way. An automatic trip ends when the vehicle stops.")
    }
}

package struct OdometerRequest: KeylessRequest {
    package static let isReading = true
    package static let manual = ControlManual(
        "odometer", "Shows the distance driven.", command: "`trackerd odometer`", response: "`odometer_m`")

    package func run(in session: any Session) -> ControlOdometer? {
        ControlOdometer(odometer_m: session.engine.odometer.value.tenths)
    }
}

package struct ControlOdometer: Codable, Sendable, Hashable {
    package let odometer_m: Double
}

package struct SetOdometerRequest: ControlRequest {
    package static let metres = ControlKey("metres", "the new reading in metres")
    package static let permission: RemotePermission? = .odometer
    package static let manual = ControlManual(
        "odometer set", "Sets the odometer, for example to the vehicle's reading; trip distances do not change.",
        keys: [metres], command: "`trackerd odometer set 1200`")

    package let distance: Metres

    package init?(_ reader: inout RequestReader) {
        // No vehicle drives 200 million kilometres.
        guard let metres = reader.number(Self.metres, 0...200_000_000_000) else {
            reader.note("Send the new odometer reading in `metres`.")
            return nil
        }
        distance = Metres(metres)
    }

    package func run(in session: any Session) -> ControlOutcome? {
        session.handle(.command(.odometer(distance))).outcome("The odometer shows \(distance.kilometres).")
    }
}

extension Metres {
    /// Rounds to ten metres.
    fileprivate var kilometres: String { "\((value / 10).rounded() / 100) km" }
}
