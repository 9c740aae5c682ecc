import Motion
import Quantities
import Testing

@testable import Tracking

@Suite("The tow rule")
struct TowRuleTests {
    private var rule = TowRule()
    private var second = 0.0

    private mutating func tell(_ event: TowRule.Event) -> DrivingEvent? {
        second += 1
        return rule.handle(event, at: .at(second))
    }

    private mutating func fix(east: Double, speed: Double = 0, accuracy: Double = 4) throws -> DrivingEvent? {
        tell(.fix(try Samples.accepted(second, east: east, speed: speed, accuracy: accuracy)))
    }

    /// Passes windows with gravity at an angle to the z axis; `sine` is the sine of this angle.
    private mutating func windows(_ count: Int, sine: Double = 0, isMoving: Bool = false) -> [DrivingEvent] {
        let cosine = (1 - sine * sine).squareRoot()
        return (0..<count).compactMap { _ in
            tell(.motion(Samples.verdict(0, 9.8 * sine, 9.8 * cosine, isMoving: isMoving)))
        }
    }

    /// Lets the vehicle drive and stop, and parks it with the ignition off.
    private mutating func park() throws {
        _ = tell(.ignition(isOn: true))
        _ = try fix(east: -100, speed: 10)
        _ = tell(.ignition(isOn: false))
        _ = try fix(east: 0)
        _ = windows(3)
        _ = tell(.parked(at: try Samples.accepted(0).position))
    }

    @Test("A tow is motion with two fixes away from the parked place while the ignition is off.")
    mutating func displaced() throws {
        try park()
        #expect(windows(5, isMoving: true).isEmpty)
        #expect(try fix(east: 59, speed: 5) == nil)
        #expect(try fix(east: 70, speed: 5) == DrivingEvent(.tow, peak: nil, lasted: .seconds(6)))
    }

    @Test(
        "A tow is not detected by a single fix, nor by fixes within 50 m plus their errors.",
        arguments: [[58, 0, 58, 0], [57, 57, 57, 57]])
    mutating func wander(metres: [Double]) throws {
        try park()
        _ = windows(5, isMoving: true)
        for east in metres { #expect(try fix(east: east) == nil) }
    }

    @Test("Receiver noise is not a tow while the accelerometer measures no motion.")
    mutating func unfelt() throws {
        try park()
        _ = windows(5)
        for _ in 0..<5 { #expect(try fix(east: 200) == nil) }
    }

    @Test("A tow is detected by the fixes alone if there is no accelerometer.")
    mutating func withoutAccelerometer() throws {
        _ = tell(.ignition(isOn: false))
        _ = tell(.parked(at: try Samples.accepted(0).position))
        _ = try fix(east: 60)
        #expect(try fix(east: 60)?.kind == .tow)
    }

    @Test("A tow is detected by a tilt of more than 3° for eight seconds.", arguments: [(0.0505, 0), (0.0541, 1)])
    mutating func tilted(sine: Double, events: Int) throws {
        try park()
        #expect(windows(7, sine: sine).isEmpty)
        #expect(windows(3, sine: sine).map(\.kind) == Array(repeating: .tow, count: events))
    }

    @Test("The roll of a ship is not a tow.")
    mutating func ship() throws {
        try park()
        for _ in 0..<20 { #expect((windows(5, sine: 0.08) + windows(5, sine: -0.02)).isEmpty) }
    }

    @Test("The tilt of a motorcycle on its side stand is not a tow if it began before the stop was confirmed.")
    mutating func sideStand() throws {
        _ = tell(.ignition(isOn: false))
        _ = try fix(east: 0)
        _ = windows(3)
        #expect(windows(20, sine: 0.2, isMoving: true).isEmpty)
        #expect(windows(20, sine: 0.2).isEmpty)
        _ = tell(.parked(at: nil))
        #expect(windows(20, sine: 0.2).isEmpty)
        #expect(windows(20, sine: 0).map(\.kind) == [.tow])
    }

    @Test(
        "A tow is not detected with the ignition on, or on a board without an ignition line.", arguments: [true, false])
    mutating func driven(hasLine: Bool) throws {
        if hasLine { _ = tell(.ignition(isOn: true)) }
        _ = tell(.parked(at: try Samples.accepted(0).position))
        #expect(windows(20, sine: 0.2, isMoving: true).isEmpty)
        for _ in 0..<5 { #expect(try fix(east: 300, speed: 10) == nil) }
    }

    @Test("A tow is reported once, and another tow only after the vehicle was parked again.")
    mutating func once() throws {
        try park()
        _ = windows(5, isMoving: true)
        var events = 0
        for step in 1...20 where try fix(east: Double(step) * 100, speed: 10) != nil { events += 1 }
        #expect(events == 1)
        #expect(windows(20, sine: 0.2, isMoving: true).isEmpty)
        _ = tell(.ignition(isOn: false))
        _ = tell(.parked(at: try Samples.accepted(0, east: 2000).position))
        _ = windows(2, isMoving: true)
        _ = try fix(east: 2100)
        #expect(try fix(east: 2100)?.kind == .tow)
    }

    @Test("A tow is detected if the ignition goes off after the stop was confirmed with the engine idling.")
    mutating func lateIgnition() throws {
        _ = tell(.ignition(isOn: true))
        _ = tell(.parked(at: try Samples.accepted(0).position))
        _ = tell(.ignition(isOn: false))
        _ = windows(2, isMoving: true)
        _ = try fix(east: 100, speed: 10)
        #expect(try fix(east: 100, speed: 10)?.kind == .tow)
    }

    @Test("A vehicle that coasts with its ignition off is not towed.")
    mutating func rollOut() throws {
        _ = tell(.ignition(isOn: true))
        _ = tell(.parked(at: try Samples.accepted(0).position))
        _ = try fix(east: 100, speed: 15)
        _ = tell(.ignition(isOn: false))
        _ = windows(2, isMoving: true)
        for step in 2...9 { #expect(try fix(east: Double(step) * 100, speed: 10) == nil) }
    }

    @Test("A tow is detected after a restart, even if the ignition line is read again.")
    mutating func restart() throws {
        try park()
        rule = TowRule(restoring: rule.memory)
        #expect(tell(.ignition(isOn: false)) == nil)
        _ = try fix(east: 100)
        #expect(try fix(east: 100)?.kind == .tow)
    }
}
