import Motion
import Quantities
import Testing
import TrackingOptions

@testable import Tracking

@Suite("A parked vehicle that is found elsewhere")
struct DisplacementTests {
    private var world = World()

    /// A vehicle without an accelerometer, parked at home.
    init() {
        _ = world.tell(.motionSensor(isThere: false), at: 0)
        _ = world.tell(.started, at: 0)
        for second in 0...1 { _ = world.tell(.fix(Samples.fix(Double(second), accuracy: 1)), at: Double(second)) }
    }

    @Test(
        "A vehicle found 100 m away at walking pace has departed, at two fixes or ten a second.", arguments: [1.0, 0.1])
    mutating func slowStart(step: Double) {
        _ = world.tell(.timer(.check), at: 31)
        for index in 0..<2 {
            let second = 32 + Double(index) * step
            let fix = Samples.fix(second, east: 97 + Double(index) * 1.6, speed: 1.6, accuracy: 1)
            _ = world.tell(.fix(fix), at: second)
        }
        #expect(world.engine.isMoving)
    }

    @Test("A vehicle found 120 m away by a receiver without speed has departed when its fixes move apart.")
    mutating func withoutSpeed() {
        _ = world.tell(.timer(.check), at: 31)
        for index in 0..<60 {
            let second = 32 + Double(index) / 10
            let fix = Samples.fix(second, east: 120 + Double(index) * 0.4, speed: nil, accuracy: 1)
            _ = world.tell(.fix(fix), at: second)
        }
        #expect(world.engine.isMoving)
    }

    @Test(
        "A vehicle that is found at rest 60 m away is parked there, with a record, at any rate of fixes.",
        arguments: [1.0, 0.1])
    mutating func parkedAnew(step: Double) throws {
        _ = world.tell(.timer(.check), at: 31)
        var effects: [Effect] = []
        for index in 0...Int(40 / step) {
            let second = 32 + Double(index) * step
            effects += world.tell(.fix(Samples.fix(second, east: 60, accuracy: 1)), at: second)
        }
        let records = effects.compactMap(\.record)
        #expect(records.map(\.kind) == [.motionchange])
        #expect(records.first?.isMoving == false)
        #expect(effects.contains(.receiver(isOn: false)))
        #expect(!world.engine.isMoving)
        let place = try #require(world.engine.state.logbook.parked?.coordinate)
        let there = try #require(Samples.home).moved(east: Metres(60), north: .zero)
        #expect(place.distance(to: there) < Metres(1))
    }

    @Test("A position that drifts moves the parked place a few times at most, and starts no trip.")
    mutating func wander() {
        var moved = 0
        for check in 0..<200 {
            let begin = 100 + Double(check) * 200
            // The reported position wanders by up to 45 m with an understated error, and is constant during each check.
            let (east, north) = (Double(check * 37 % 90) - 45, Double(check * 53 % 90) - 45)
            _ = world.tell(.timer(.check), at: begin)
            for second in 1...60 {
                let fix = Samples.fix(begin + Double(second), east: east, north: north, speed: 0.2, accuracy: 3)
                moved += world.tell(.fix(fix), at: begin + Double(second)).compactMap(\.record).count
            }
            _ = world.tell(.timer(.fixTimeout), at: begin + 150)
        }
        #expect(moved <= 5)
        #expect(!world.engine.isMoving)
    }

    @Test("A false start that ends at another place parks the vehicle at that place, without a trip.")
    mutating func falseStart() throws {
        world = World()
        world.park()
        _ = world.tell(.motion(MotionVerdict(isMoving: true)), at: 100)
        var records: [Record] = []
        for second in 110...175 {
            let fix = Samples.fix(Double(second), east: 50, speed: 0.1, accuracy: 2)
            records += world.tell(.fix(fix), at: Double(second)).compactMap(\.record)
        }
        let effects = world.tell(.timer(.falseStart), at: 175)
        records += effects.compactMap(\.record)
        #expect(effects.contains(.state(isMoving: false)))
        #expect(!records.contains { $0.kind == .trip })
        let there = try #require(Samples.home).moved(east: Metres(50), north: .zero)
        let stop = try #require(records.last { $0.kind == .motionchange }?.position?.coordinate)
        #expect(stop.distance(to: there) < Metres(1))
        #expect(world.engine.state.logbook.parked?.coordinate.distance(to: there).value ?? .infinity < 1)
    }

    @Test("A parked vehicle with an accelerometer is checked every six hours, unless parkedCheckInterval is 0.")
    func unfeltMoves() {
        var world = World()
        world.park()
        #expect(world.tell(.timer(.check), at: 21_601).contains(.receiver(isOn: true)))
        var off: [Effect] = []
        for second in [21_602.0, 21_603] { off += world.tell(.fix(Samples.fix(second)), at: second) }
        #expect(off.contains(.receiver(isOn: false)) && off.contains(.arm(.check, at: .at(43_202))))
        var never = World { $0.parkedCheckInterval = .zero }
        _ = never.tell(.motionSensor(isThere: true), at: 0)
        var effects = never.tell(.started, at: 0)
        for second in [0.0, 1] { effects += never.tell(.fix(Samples.fix(second)), at: second) }
        #expect(effects.contains(.cancel(.check)))
        #expect(!effects.contains { if case .arm(.check, _) = $0 { true } else { false } })
    }

    @Test(
        "A vehicle on a ferry was moved unseen, but not a vehicle that can have driven to its first fix.",
        arguments: [(19_000.0, true), (400, false)])
    func firstFixFarAway(metres: Double, isUnseen: Bool) {
        var world = World()
        world.park()
        _ = world.tell(.motion(MotionVerdict(isMoving: true, onset: .at(9_997))), at: 10_000)
        var effects: [Effect] = []
        for second in [10_004.0, 10_005] {
            effects += world.tell(.fix(Samples.fix(second, east: metres, speed: 10)), at: second)
        }
        let isReported = effects.contains { effect in
            if case .decided(let decision) = effect { decision.text.hasPrefix("moved unseen") } else { false }
        }
        #expect(isReported == isUnseen)
    }
}
