import Calendar
@testable import Formats
import Foundation
import Quantities
import Testing
import Tracking
import TrackingOptions
@testable import Upload

@Suite("Extreme numbers from a receiver")
struct ExtremeFixTests {
    @Test("No record contains an impossible number, and each format can encode it.", arguments: 0..<60)
    func extremes(seed: Int) throws {
        var numbers = Numbers(state: UInt64(seed))
        var options = Profile.vehicle.options
        options.trackingSchedule = seed % 3 == 0 ? Crontab("* * * * *") : nil
        options.desiredStoppedUpdateInterval = .seconds(10)
        var engine = Engine(EngineConfiguration(options: options))
        var records: [Record] = []
        func tell(_ event: Event, at second: Int) {
            var effects = EffectBuffer()
            engine.handle(event, at: Instant(seconds: Double(second)), into: &effects)
            for case .record(let record) in effects.effects { records.append(record) }
        }
        tell(.started, at: 0)
        tell(.command(.move), at: 1)
        for second in 2..<300 {
            if second % 50 == 0 {
                tell(.wallClock(Timestamp(milliseconds: numbers.integer()), isTrusted: seed % 2 == 0), at: second)
            }
            tell(.fix(numbers.fix(at: second)), at: second)
            tell(.timer(TimerKind.allCases[second % TimerKind.allCases.count]), at: second)
        }
        tell(.command(.stay), at: 400)
        #expect(records.contains { $0.position != nil })
        for (index, record) in records.enumerated() {
            expectPossible(record)
            let stored = StoredRecord(
                sequence: Int64(index + 1), uuid: StoredRecord.whole.uuid,
                created: Timestamp(milliseconds: numbers.integer()), record: record)
            for format in FormatCatalogue.all where format.transports.contains(.http) {
                let target = try UploadTarget.sample("http://127.0.0.1/pub", format)
                let result = target.format.encode([stored], isNewest: true, for: target.sender, over: .http)
                if case .impossible(let reason) = result { Issue.record("seed \(seed): \(reason)") }
            }
        }
        let state = try JSONEncoder().encode(engine.state)
        #expect(try JSONDecoder().decode(EngineState.self, from: state) == engine.state)
    }

    private func expectPossible(_ record: Record) {
        guard let position = record.position else { return }
        #expect(position.speed.map { (0...100).contains($0.value) } ?? true)
        #expect(position.altitude.map { (-500...9000).contains($0.value) } ?? true)
        #expect(position.ellipsoidAltitude.map { (-700...9200).contains($0.value) } ?? true)
        #expect(position.course.map { (0...360).contains($0.value) } ?? true)
        #expect(position.accuracy.map { $0.value >= 0 && $0.value < 1e7 } ?? true)
        #expect(position.verticalAccuracy.map { (0...10_000).contains($0.value) } ?? true)
        #expect(record.odometer.value.isFinite && record.odometer.value < 60_000)
    }
}

/// Unexpected numbers from SplitMix64, which are the same in each run.
private struct Numbers {
    var state: UInt64

    private static let wild: [Double] = [
        .nan, .infinity, -.infinity, 1e300, -1e300, .leastNonzeroMagnitude, -0.0, 0, 1e18, -1e18, 9.3e18, 361, -1,
        255.5, 1e5,
    ]

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    mutating func integer() -> Int64 {
        let wild: [Int64] = [.min, .max, 0, -1, 1_767_225_600_000, Int64(truncatingIfNeeded: next())]
        return wild[Int(next() % UInt64(wild.count))]
    }

    /// Returns an extreme number in a quarter of the calls, otherwise the expected number.
    mutating func number(_ expected: Double?) -> Double? {
        guard next() % 4 == 0 else { return expected }
        return Self.wild[Int(next() % UInt64(Self.wild.count))]
    }

    mutating func fix(at second: Int) -> Fix {
        let time = Timestamp(year: 2026, month: 5, day: 4) + .seconds(second)
        let place = Coordinate(
            latitude: number(52.4) ?? 0, longitude: number(4.9 + Double(second) / 10_000) ?? 0)
        return Fix(
            mode: .threeDimensional, time: next() % 8 == 0 ? Timestamp(milliseconds: integer()) : time,
            coordinate: place, accuracy: number(4).map(Metres.init), altitude: number(3).map(Metres.init),
            ellipsoidAltitude: number(46).map(Metres.init), verticalAccuracy: number(9).map(Metres.init),
            speed: number(7).map(MetresPerSecond.init), speedAccuracy: number(0.3).map(MetresPerSecond.init),
            course: number(90).map(Degrees.init), climb: number(0).map(MetresPerSecond.init),
            satellites: next() % 5 == 0 ? .max : 9, hdop: number(0.9), vdop: number(1.3), pdop: number(1.6),
            jamming: next() % 5 == 0 ? .min : 10)
    }
}
