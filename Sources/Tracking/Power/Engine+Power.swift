import Quantities
import TrackingOptions

extension Engine {
    /// The supply came, went, or the program did.
    mutating func note(_ change: PowerChange, at now: Instant) -> [Effect] {
        // Who halts the board ends the program too: that was told at the first attempt.
        if change == .shutdown, halts.count == 1, halts.isUnderWay(at: now) { return [] }
        let records = carryOut([.record(.power(change))], at: now)
        switch change {
        case .supplyLost:
            // The seconds that are left belong to the disk: no upload begins any more.
            isSupplyLost = true
            return records + holdUploads()
        case .supplyBack:
            isSupplyLost = false
            return records + holdUploads()
        case .started, .shutdown, .supplyLow: return records
        }
    }

    /// The battery of the vehicle was measured.
    mutating func measure(_ voltage: Volts, at now: Instant) -> [Effect] {
        switch supply.measure(voltage, at: now) {
        case nil: return []
        case .low:
            let text = "the battery has \(voltage) only: beacons, looks and uploads wait"
            return note(.supplyLow, at: now) + [.decided(Decision(.power, text))] + holdUploads()
                + setOptions([Self.savingLayer], by: .supply, at: now)
        case .back:
            halts = HaltAttempts()
            let text = "the battery has \(voltage) again"
            return note(.supplyBack, at: now) + [.decided(Decision(.power, text))] + holdUploads()
                + setOptions([], by: .supply, at: now)
        case .exhausted:
            return state.isMoving ? [] : halt(because: "the battery has \(voltage) and does not recover", at: now)
        }
    }

    /// Lights the light as the options want it, after what an event led to.
    mutating func shine(after effects: [Effect], at now: Instant) -> [Effect] {
        let followed = light.follow(options.indicator, isTracking: !isSuspended)
        guard options.indicator == .updates, effects.contains(where: \.isRecord) else { return followed }
        return followed + light.recorded(at: now)
    }

    /// Counts the time until a parked board is halted, from the arrival or from the start of the program.
    mutating func waitToHalt(at now: Instant) -> [Effect] {
        if state.isMoving { halts = HaltAttempts() }
        guard let patience = setup.power.haltAfter else { return [] }
        return state.isMoving ? [.cancel(.halt)] : [.arm(.halt, at: now + patience)]
    }

    /// The board was parked for long enough to be halted, unless something still goes on.
    mutating func haltIfIdle(at now: Instant) -> [Effect] {
        guard !state.isMoving, let patience = setup.power.haltAfter else { return [] }
        guard !isIgnitionOn, !requests.isWaiting, !power.isOn else { return waitToHalt(at: now) }
        return waitToHalt(at: now) + halt(because: "parked for \(Int(patience.inSeconds)) s", at: now)
    }

    /// What saves current while the battery is low, whatever was asked for: tracking itself goes on.
    static let savingLayer = OptionLayer(
        .supply, name: "low battery",
        [
            OptionAssignment("beacons", .flag(false), source: "low battery"),
            OptionAssignment("desiredStoppedUpdateInterval", .duration(.zero), source: "low battery"),
            OptionAssignment("heartbeatInterval", .duration(.zero), source: "low battery"),
            OptionAssignment("indicator", .choice(Indicator.off.rawValue), source: "low battery"),
        ])

    private mutating func halt(because reason: String, at now: Instant) -> [Effect] {
        guard halts.isDue(at: now) else { return [] }
        // Halting may be refused: it is tried again, and the shutdown told once.
        let told = halts.count == 0 ? note(.shutdown, at: now) : []
        halts.begin(at: now)
        let attempt = halts.count == 1 ? "" : ", attempt \(halts.count)"
        return told + [.decided(Decision(.power, "halted: \(reason)\(attempt)"))]
            + [.halt(wakeAfter: setup.power.wakeAfter)]
    }

    private mutating func holdUploads() -> [Effect] {
        let isHeld = isSupplyLost || supply.isLow
        guard isHeld != areUploadsHeld else { return [] }
        areUploadsHeld = isHeld
        return [.uploads(areHeld: isHeld)]
    }
}

extension Effect {
    fileprivate var isRecord: Bool { if case .record = self { true } else { false } }
}
