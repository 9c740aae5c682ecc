import Quantities
import Recordings
import TestSupport
import Testing
import Tracking
import TrackingOptions

let seeds: ClosedRange<UInt64> = 1...5
/// The seeds of scenarios that last for hours.
let fewSeeds: ClosedRange<UInt64> = 1...2

let vehicle = Profile.vehicle.options

extension Scenario {
    var date: Timestamp { SimulatedDate.epoch + end }

    /// Returns the distance of a position from the true place of the vehicle at the end.
    func distance(to position: Position?) -> Metres {
        guard let place, let position else { return Metres(.infinity) }
        return place.distance(to: position.coordinate)
    }

    /// Returns the straight distance between the ends of two scenarios.
    func distance(to other: Scenario) -> Metres {
        guard let place, let end = other.place else { return Metres(.infinity) }
        return place.distance(to: end)
    }
}

extension ScenarioRun {
    func motionchanges(from start: Scenario, to end: Scenario) -> [Record] {
        motionchanges.filter { start.end <= $0.time && $0.time < end.end }.map(\.value)
    }

    func departures(from start: Scenario, to end: Scenario) -> Int {
        departures.count { start.end <= $0 && $0 < end.end }
    }

    func arrivals(from start: Scenario, to end: Scenario) -> Int { arrivals.count { start.end <= $0 && $0 < end.end } }

    func receiverShare(from start: Scenario, to end: Scenario) -> Double {
        receiverTime(from: start.end, to: end.end) / (end.end - start.end)
    }

    /// Returns the pauses of the receiver within a span, in seconds.
    func receiverPauses(from start: Scenario, to end: Scenario) -> [Double] {
        let spans = receiver.filter { $0.upperBound > start.end && $0.lowerBound < end.end }
        return zip(spans, spans.dropFirst()).map { ($1.lowerBound - $0.upperBound).inSeconds }
    }

    func points(from start: Scenario, to end: Scenario) -> [Record] {
        records.filter { start.end <= $0.time && $0.time < end.end && $0.value.kind == .location }.map(\.value)
    }

    /// The reports of trips that have ended.
    var trips: [TripReport] {
        records.compactMap { record in
            if case .trip(let report) = record.value.content, report.summary != nil { report } else { nil }
        }
    }

    var receiverReports: [Drive.Timed<ProviderChange.State>] {
        records.compactMap { record in
            if case .providerchange(let change) = record.value.content { .init(record.time, change.state) } else { nil }
        }
    }
}

/// Expects that the engine noticed the departure at the end of `parked` within 10 s, with its time right to 5 s and its position
/// to `metres`.
func expectDeparture(
    _ run: ScenarioRun, from parked: Scenario, within metres: Double = 10,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let found = run.motionchanges.first { $0.value.isMoving && $0.time >= parked.end }
    guard let found else {
        Issue.record("no departure after \(parked.end)", sourceLocation: sourceLocation)
        return
    }
    #expect(
        found.time - parked.end <= .seconds(10), "the departure was noticed too late", sourceLocation: sourceLocation)
    #expect(
        parked.distance(to: found.value.position) <= Metres(metres), "the departure is at the wrong place",
        sourceLocation: sourceLocation)
    #expect(
        (found.value.time - parked.date).magnitude <= .seconds(5), "the departure has the wrong time",
        sourceLocation: sourceLocation)
}

/// Expects that the engine confirmed the stop at the end of `arrived` within `time`, with its time right to 5 s and its position
/// to `metres`.
func expectStop(
    _ run: ScenarioRun, at arrived: Scenario, within time: Duration = .seconds(190), metres: Double = 10,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let found = run.motionchanges.first { !$0.value.isMoving && $0.time >= arrived.end }
    guard let found else {
        Issue.record("no stop after \(arrived.end)", sourceLocation: sourceLocation)
        return
    }
    #expect(found.time - arrived.end <= time, "the stop was confirmed too late", sourceLocation: sourceLocation)
    #expect(
        arrived.distance(to: found.value.position) <= Metres(metres), "the stop is at the wrong place",
        sourceLocation: sourceLocation)
    #expect(
        (found.value.time - arrived.date).magnitude <= .seconds(5), "the stop has the wrong time",
        sourceLocation: sourceLocation)
}

/// Expects one trip from the end of `parked` to the end of `arrived`, with one report, and with the receiver off before and after
/// the trip.
func expectOneTrip(
    _ run: ScenarioRun, from parked: Scenario, to arrived: Scenario, metres: Double = 10,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(
        run.departures.count == 1 && run.arrivals.count == 1, "not exactly one trip", sourceLocation: sourceLocation)
    #expect(run.trips.count == 1, "the trip was not reported once", sourceLocation: sourceLocation)
    expectDeparture(run, from: parked, sourceLocation: sourceLocation)
    expectStop(run, at: arrived, metres: metres, sourceLocation: sourceLocation)
    // The position check at program start needs up to three reports; the first counts only if the second agrees.
    #expect(run.receiverTime(from: .zero, to: parked.end) <= .seconds(5), sourceLocation: sourceLocation)
    let parkedAgain = run.arrivals.last ?? run.length
    // The engine always records the last fix before it switches the receiver off.
    let last = run.records.last { $0.value.kind == .location }?.value.time
    let lastPoint = last.map { $0 - SimulatedDate.epoch } ?? .zero
    #expect(
        (parkedAgain - lastPoint).magnitude <= .seconds(2), "the last fix was not recorded",
        sourceLocation: sourceLocation)
    #expect(run.receiverTime(from: parkedAgain, to: run.length) == .zero, sourceLocation: sourceLocation)
}
