package import Quantities
import TrackingOptions

/// Manages the board's power: it watches the vehicle's battery, pauses uploads while the battery is low, halts a parked
/// board, and controls the light.
struct PowerManager: Sendable {
    private let policy: PowerPolicy
    private var supply: SupplyRule
    private var isSupplyLost = false
    private var areUploadsHeld = false
    private var halts = HaltAttempts()
    private var light = IndicatorRule()

    init(_ policy: PowerPolicy) {
        self.policy = policy
        supply = SupplyRule(limit: policy.lowVoltage)
    }

    /// Copies the state of supply and light from the manager that this one replaces.
    mutating func resume(from earlier: PowerManager) {
        (supply, isSupplyLost, areUploadsHeld) = (earlier.supply, earlier.isSupplyLost, earlier.areUploadsHeld)
        light = earlier.light
    }

    // MARK: Supply

    /// Records a change of the supply or of the program.
    mutating func note(
        _ change: PowerChange, _ context: Context, _ logbook: Logbook, into effects: inout EffectBuffer
    ) {
        // The halt of the board also ends the program; the first attempt has already recorded this shutdown.
        if change == .shutdown, halts.count == 1, halts.isUnderWay(at: context.now) { return }
        logbook.record(.power(change), context, into: &effects)
        switch change {
        case .supplyLost:
            // Writing to disk needs the remaining seconds, so no further upload begins.
            isSupplyLost = true
            holdUploads(into: &effects)
        case .supplyBack:
            isSupplyLost = false
            holdUploads(into: &effects)
        case .started, .shutdown, .supplyLow: break
        }
    }

    /// The effect of a measurement on the options.
    enum Saving: Sendable {
        /// The battery is low: the options that save current override all others.
        case begins
        /// The battery is good again.
        case ends
    }

    /// Evaluates a measurement of the vehicle's battery; returns whether saving current begins or ends.
    mutating func measure(
        _ voltage: Volts, _ context: Context, _ logbook: Logbook, into effects: inout EffectBuffer
    ) -> Saving? {
        switch supply.measure(voltage, at: context.now) {
        case nil: return nil
        case .low:
            note(.supplyLow, context, logbook, into: &effects)
            effects.decide(.power, "the battery has \(voltage) only: beacons, looks and uploads wait")
            holdUploads(into: &effects)
            return .begins
        case .back:
            halts = HaltAttempts()
            note(.supplyBack, context, logbook, into: &effects)
            effects.decide(.power, "the battery has \(voltage) again")
            holdUploads(into: &effects)
            return .ends
        case .exhausted:
            if !context.isMoving {
                halt(because: "the battery has \(voltage) and does not recover", context, logbook, into: &effects)
            }
            return nil
        }
    }

    private mutating func holdUploads(into effects: inout EffectBuffer) {
        let isHeld = isSupplyLost || supply.isLow
        guard isHeld != areUploadsHeld else { return }
        areUploadsHeld = isHeld
        effects.append(.uploads(areHeld: isHeld))
    }

    /// The options that save current while the battery is low; they override all others, and tracking continues.
    static let savingLayer = OptionLayer(
        .supply, name: "low battery",
        [
            OptionAssignment("beacons", .flag(false), source: "low battery"),
            OptionAssignment("desiredStoppedUpdateInterval", .duration(.zero), source: "low battery"),
            OptionAssignment("heartbeatInterval", .duration(.zero), source: "low battery"),
            OptionAssignment("indicator", .choice(Indicator.off.rawValue), source: "low battery"),
        ])

    // MARK: Halting

    /// Counts the time until a parked board is halted, from the arrival or from the start of the program.
    mutating func waitToHalt(_ context: Context, into effects: inout EffectBuffer) {
        if context.isMoving { halts = HaltAttempts() }
        guard let patience = policy.haltAfter else { return }
        if context.isMoving { effects.cancel(.halt) } else { effects.arm(.halt, at: context.now + patience) }
    }

    /// Halts a board that has been parked for `haltAfter`, unless `isInUse`.
    mutating func haltIfIdle(
        isInUse: Bool, _ context: Context, _ logbook: Logbook, into effects: inout EffectBuffer
    ) {
        guard !context.isMoving, let patience = policy.haltAfter else { return }
        waitToHalt(context, into: &effects)
        guard !isInUse else { return }
        halt(because: "parked for \(Int(patience.inSeconds)) s", context, logbook, into: &effects)
    }

    private mutating func halt(
        because reason: String, _ context: Context, _ logbook: Logbook, into effects: inout EffectBuffer
    ) {
        guard halts.isDue(at: context.now) else { return }
        // The system may refuse the halt. The manager then tries again, but records the shutdown only once.
        if halts.count == 0 { note(.shutdown, context, logbook, into: &effects) }
        halts.begin(at: context.now)
        let attempt = halts.count == 1 ? "" : ", attempt \(halts.count)"
        effects.decide(.power, "halted: \(reason)\(attempt)")
        effects.append(.halt(wakeAfter: policy.wakeAfter))
    }

    // MARK: The light

    /// Updates the light according to the options; `hasRecorded` if the event led to a record.
    mutating func updateLight(
        _ indicator: Indicator, isTracking: Bool, hasRecorded: Bool, at now: Instant, into effects: inout EffectBuffer
    ) {
        light.follow(indicator, isTracking: isTracking, into: &effects)
        if indicator == .updates, hasRecorded { light.recorded(at: now, into: &effects) }
    }

    /// Handles the end of a blink.
    mutating func lightTimer(_ context: Context, into effects: inout EffectBuffer) {
        light.timer(context.options.indicator, into: &effects)
    }
}

/// When to halt the board and when to wake it, and which battery voltage is low.
package struct PowerPolicy: Sendable, Hashable {
    /// How long the vehicle is parked before the board halts; nil: it never halts.
    package var haltAfter: Duration?
    /// How long after the halt the board's clock wakes the board; nil if something else wakes it.
    package var wakeAfter: Duration?
    /// The voltage below which the vehicle's battery is low; nil: its voltage is not evaluated.
    package var lowVoltage: Volts?

    /// Makes a policy; an argument that is left out is off.
    package init(haltAfter: Duration? = nil, wakeAfter: Duration? = nil, lowVoltage: Volts? = nil) {
        self.haltAfter = haltAfter
        self.wakeAfter = wakeAfter
        self.lowVoltage = lowVoltage
    }
}
