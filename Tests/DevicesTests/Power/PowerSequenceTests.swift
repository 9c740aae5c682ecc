import Devices
import Quantities
import Testing

@Suite("The power sequence")
struct PowerSequenceTests {
    private static let rail: [PowerSequence.Part] = [.rail, .powerUp, .transmit, .device, .reader]
    private var sequence = PowerSequence(rail, powerUpTime: .seconds(1))

    private func at(_ seconds: Double) -> Instant { Instant(seconds: seconds) }

    /// Carries out the orders as if every part succeeded at once; returns the orders.
    private mutating func obey(_ event: PowerSequence.Event, at now: Instant) -> [PowerSequence.Effect] {
        var all: [PowerSequence.Effect] = []
        var effects = sequence.handle(event, at: now)
        while !effects.isEmpty {
            all += effects.filter { $0 != .cancel }
            guard case .set = effects.last else { break }
            effects = sequence.handle(.ended(isDone: true), at: now)
        }
        return all
    }

    private func orders(_ effects: [PowerSequence.Effect]) -> [PowerSequence.Effect] {
        effects.filter { $0 != .cancel }
    }

    @Test("The order of switching on is supply, power-up time, line, gpsd and reading.")
    mutating func on() {
        #expect(obey(.want(true), at: at(0)) == [.set(.rail, isOn: true), .arm(at: at(1))])
        #expect(obey(.timer, at: at(0.9)) == [.arm(at: at(1))])
        #expect(
            obey(.timer, at: at(1)) == [
                .set(.transmit, isOn: true), .set(.device, isOn: true), .set(.reader, isOn: true),
            ])
        #expect(sequence.isAtRest)
    }

    @Test("Switching off reverses the order of switching on, so no line drives a receiver without supply.")
    mutating func off() {
        _ = obey(.want(true), at: at(0))
        _ = obey(.timer, at: at(1))
        #expect(
            obey(.want(false), at: at(2)) == [
                .set(.reader, isOn: false), .set(.device, isOn: false), .set(.transmit, isOn: false),
                .set(.rail, isOn: false),
            ])
        #expect(sequence.isAtRest)
    }

    @Test("The sequence starts by switching all parts off if the receiver is not requested.")
    mutating func begin() {
        #expect(
            obey(.want(false), at: at(0)) == [
                .set(.reader, isOn: false), .set(.device, isOn: false), .set(.transmit, isOn: false),
                .set(.rail, isOn: false),
            ])
    }

    @Test("The sequence waits for each part.")
    mutating func patience() {
        _ = sequence.handle(.want(true), at: at(0))
        #expect(sequence.handle(.timer, at: at(5)) == [])
        #expect(sequence.handle(.ended(isDone: true), at: at(5)) == [.arm(at: at(6))])
        #expect(sequence.handle(.ended(isDone: true), at: at(5)) == [])
    }

    @Test("The sequence reverses during the power-up time without waiting for the end of this time.")
    mutating func turnDuringPowerUp() {
        _ = obey(.want(false), at: at(0))
        _ = obey(.want(true), at: at(10))
        #expect(obey(.want(false), at: at(10.5)) == [.set(.rail, isOn: false)])
        #expect(obey(.timer, at: at(11)) == [])
    }

    @Test(
        "The first switch-off covers every part, even if the switch-on was only half done."
    )
    mutating func turnAtTheStart() {
        _ = obey(.want(true), at: at(0))
        #expect(
            obey(.want(false), at: at(0.5)) == [
                .set(.reader, isOn: false), .set(.device, isOn: false), .set(.transmit, isOn: false),
                .set(.rail, isOn: false),
            ])
    }

    @Test("The sequence reverses when the pending step has ended.")
    mutating func turnDuringOrder() {
        _ = obey(.want(false), at: at(0))
        _ = obey(.want(true), at: at(10))
        #expect(orders(sequence.handle(.timer, at: at(11))) == [.set(.transmit, isOn: true)])
        #expect(sequence.handle(.want(false), at: at(11)) == [])
        #expect(obey(.ended(isDone: true), at: at(11)) == [.set(.transmit, isOn: false), .set(.rail, isOn: false)])
    }

    @Test("The sequence reverses while it switches off, and waits for power-up only if the supply was cut.")
    mutating func turnOnTheWayDown() {
        _ = obey(.want(true), at: at(0))
        _ = obey(.timer, at: at(1))
        _ = sequence.handle(.want(false), at: at(2))
        #expect(orders(sequence.handle(.ended(isDone: true), at: at(2))) == [.set(.device, isOn: false)])
        _ = sequence.handle(.want(true), at: at(2))
        #expect(obey(.ended(isDone: true), at: at(3)) == [.set(.device, isOn: true), .set(.reader, isOn: true)])
    }

    @Test("The sequence continues after a failed part, and tries that part again with growing pauses.")
    mutating func disobedience() {
        _ = sequence.handle(.want(true), at: at(0))
        #expect(sequence.handle(.ended(isDone: false), at: at(0)) == [.arm(at: at(1))])
        #expect(obey(.timer, at: at(1)).last == .arm(at: at(1)))
        #expect(orders(sequence.handle(.timer, at: at(1))) == [.set(.rail, isOn: true)])
        #expect(sequence.handle(.ended(isDone: false), at: at(1)) == [.arm(at: at(3))])
        #expect(sequence.handle(.timer, at: at(2)) == [.arm(at: at(3))])
        #expect(orders(sequence.handle(.timer, at: at(3))) == [.set(.rail, isOn: true)])
        #expect(sequence.handle(.ended(isDone: true), at: at(3)) == [.cancel])
    }

    @Test("Reopening switches the device off and on, without the supply.")
    mutating func reopen() {
        _ = obey(.want(true), at: at(0))
        _ = obey(.timer, at: at(1))
        #expect(
            obey(.reopen, at: at(9)) == [
                .set(.reader, isOn: false), .set(.device, isOn: false), .set(.device, isOn: true),
                .set(.reader, isOn: true),
            ])
        #expect(sequence.isAtRest)
    }

    @Test("The sequence does not reopen a receiver that is off, being switched, or not in gpsd.")
    mutating func noReopen() {
        #expect(sequence.handle(.reopen, at: at(0)) == [])
        _ = sequence.handle(.want(true), at: at(0))
        #expect(sequence.handle(.reopen, at: at(0)) == [])
        var bare = PowerSequence([.reader], powerUpTime: .zero)
        _ = bare.handle(.want(true), at: at(0))
        _ = bare.handle(.ended(isDone: true), at: at(0))
        #expect(bare.handle(.reopen, at: at(0)) == [])
    }

    @Test("The sequence keeps its order and ends, whatever events happen in between.", arguments: ladders)
    func exhaustively(ladder: [PowerSequence.Part]) {
        var path: [PowerSequence.Event] = []
        explore(PowerWorld(ladder), depth: 6, &path)
    }

    static let ladders: [[PowerSequence.Part]] = [
        rail, [.rail, .powerUp, .reader], [.device, .reader], [.wakefulness, .powerUp, .reader],
    ]

    private static let events: [PowerSequence.Event] = [
        .want(true), .want(false), .reopen, .ended(isDone: true), .ended(isDone: false), .timer,
    ]

    /// Tries every series of events up to a length; after each, lets all parts succeed until the power sequence comes to rest.
    private func explore(_ world: PowerWorld, depth: Int, _ path: inout [PowerSequence.Event]) {
        var end = world
        end.takeItsCourse()
        #expect(end.flaws == [], "after \(path)")
        guard depth > 0, world.flaws.isEmpty else { return }
        for event in Self.events {
            var next = world
            guard next.happens(event) else { continue }
            path.append(event)
            explore(next, depth: depth - 1, &path)
            path.removeLast()
        }
    }
}

/// A simulation of a receiver's parts, which checks the orders of the power sequence.
private struct PowerWorld {
    private(set) var flaws: [String] = []
    private let ladder: [PowerSequence.Part]
    private var sequence: PowerSequence
    private var now = Instant(seconds: 0)
    private var isOn: [PowerSequence.Part: Bool] = [:]
    private var underWay: PowerSequence.Part?
    private var timer: Instant?
    private var suppliedAt: Instant?
    private var wanted: Bool?

    init(_ ladder: [PowerSequence.Part]) {
        self.ladder = ladder
        sequence = PowerSequence(ladder, powerUpTime: .seconds(1))
    }

    /// Returns false if the event is impossible now.
    mutating func happens(_ event: PowerSequence.Event) -> Bool {
        switch event {
        case .want(let isWanted): wanted = isWanted
        case .reopen: break
        case .ended:
            guard underWay != nil else { return false }
            underWay = nil
        case .timer:
            guard let timer else { return false }
            now = max(now, timer)
        }
        for effect in sequence.handle(event, at: now) { perform(effect) }
        return true
    }

    /// Lets all parts succeed from now on, and checks that the sequence comes to rest.
    mutating func takeItsCourse() {
        guard let wanted else { return }
        for _ in 0..<40 where underWay != nil || timer != nil {
            _ = happens(underWay == nil ? .timer : .ended(isDone: true))
        }
        if underWay != nil || timer != nil || !sequence.isAtRest { flaws.append("it does not come to rest") }
        for part in ladder where part != .powerUp && isOn[part] != wanted { flaws.append("\(part) is not \(wanted)") }
    }

    private mutating func perform(_ effect: PowerSequence.Effect) {
        switch effect {
        case .arm(let moment): timer = moment
        case .cancel: timer = nil
        case .set(let part, let isOn):
            if underWay != nil { flaws.append("\(part) is ordered while another is under way") }
            check(part, isOn: isOn)
            underWay = part
            self.isOn[part] = isOn
        }
    }

    /// Checks an order; an order that repeats the present state is harmless.
    private mutating func check(_ part: PowerSequence.Part, isOn: Bool) {
        guard self.isOn[part] != isOn else { return }
        switch (part, isOn) {
        case (.rail, true), (.wakefulness, true): suppliedAt = now
        case (.rail, false), (.wakefulness, false):
            for other in [PowerSequence.Part.transmit, .device, .reader] where self.isOn[other] == true {
                flaws.append("the supply goes while \(other) is on")
            }
        case (.transmit, true), (.device, true), (.reader, true):
            let isSupplied = !ladder.contains(.powerUp) || suppliedAt.map { now - $0 >= .seconds(1) } ?? false
            if !isSupplied { flaws.append("\(part) is on before the receiver has powered up") }
        case (.transmit, false), (.device, false), (.reader, false), (.powerUp, _): break
        }
    }
}
