import Quantities
import TrackingOptions

/// Watches the battery, pauses uploads while it is low, halts a parked board, and controls the indicator light.
package struct PowerManager: Sendable {
    /// When the battery has become low, uploads go on for this time; then only waiting records are uploaded, and at last
    /// none. A halt waits as long for deliveries.
    private static let deliveryTime = Duration.seconds(60)
    /// The monitor measures twice a minute, so an older voltage is unknown.
    private static let measurementLife = Duration.seconds(300)

    private let policy: PowerPolicy
    private var supply: SupplyRule
    private var isSupplyLost = false
    /// True if the battery is low, and the time for deliveries has passed.
    private var isSaving = false
    private var permission = UploadPermission.allowed
    private var measured: (voltage: Volts, at: Instant)?
    private let bootID: String?
    private(set) var snapshot: Snapshot
    private(set) var ignition: Bool?
    private var halts = HaltAttempts()
    /// True if only a command to stay awake has kept the board from its halt.
    private var isHaltPostponed = false
    private var light = IndicatorRule()

    init(_ policy: PowerPolicy, bootID: String? = nil, restoring snapshot: Snapshot = Snapshot()) {
        self.policy = policy
        self.bootID = bootID
        self.snapshot = snapshot
        if policy.haltAfter == nil { self.snapshot.awake = nil }
        self.snapshot.awake?.continue(inBoot: bootID)
        supply = SupplyRule(limit: policy.lowVoltage)
    }

    mutating func resume(from earlier: PowerManager) {
        (supply, isSupplyLost, permission) = (earlier.supply, earlier.isSupplyLost, earlier.permission)
        (isSaving, measured, ignition) = (earlier.isSaving, earlier.measured, earlier.ignition)
        light = earlier.light
    }

    // MARK: The vehicle

    /// Counts each boot once.
    mutating func countStart(of program: ProgramFacts) -> StartReport {
        // Without a boot ID, the program counts only its first start.
        if snapshot.boots == 0 || program.bootID != nil && snapshot.bootID != program.bootID {
            snapshot.boots += 1
            snapshot.bootID = program.bootID
        }
        return StartReport(version: program.version, board: program.board, boots: snapshot.boots)
    }

    /// Records a change, also one since an earlier run, unless tracking is suspended.
    mutating func turn(ignition isOn: Bool, _ logbook: Logbook, in turn: inout Turn) {
        (ignition, turn.ignition) = (isOn, isOn)
        let hasChanged = snapshot.ignition != isOn
        snapshot.ignition = isOn
        if hasChanged, !turn.isSuspended { logbook.record(.power(isOn ? .ignitionOn : .ignitionOff), in: &turn) }
    }

    func updateFacts(of turn: inout Turn) { (turn.ignition, turn.supply) = (ignition, voltage(at: turn.now)) }

    func voltage(at now: Instant) -> Volts? {
        measured.flatMap { now - $0.at <= Self.measurementLife ? $0.voltage : nil }
    }

    // MARK: Supply

    mutating func note(_ change: PowerChange, _ logbook: Logbook, in turn: inout Turn) {
        // The halt of the board also ends the program; the first attempt has already recorded this shutdown.
        if change == .shutdown, halts.count <= 1, halts.isUnderWay(at: turn.now) { return }
        logbook.record(.power(change), in: &turn)
        guard change == .supplyLost || change == .supplyBack else { return }
        // After a loss uploads pause, because trackerd needs the remaining seconds to write to disk.
        isSupplyLost = change == .supplyLost
        holdUploads(into: &turn.effects)
    }

    enum Saving: Sendable {
        case begins
        case ends

        var layers: [OptionLayer] { self == .begins ? [savingLayer] : [] }
    }

    /// Ignores a voltage that no battery has. Nil if saving neither begins nor ends.
    mutating func measure(_ voltage: Volts, _ logbook: Logbook, in turn: inout Turn) -> Saving? {
        guard policy.plausible.contains(voltage) else { return nil }
        measured = (voltage, turn.now)
        turn.supply = voltage
        switch supply.measure(voltage, at: turn.now) {
        case nil: return nil
        case .low:
            note(.supplyLow, logbook, in: &turn)
            turn.effects.decide(
                .power,
                "the battery has only \(voltage.rounded): beacons and position checks pause, and uploads pause soon")
            turn.effects.arm(.holdUploads, at: turn.now + Self.deliveryTime)
            return .begins
        case .back:
            halts = HaltAttempts()
            isSaving = false
            turn.effects.cancel(.holdUploads)
            note(.supplyBack, logbook, in: &turn)
            turn.effects.decide(.power, "the battery has \(voltage.rounded) again")
            return .ends
        case .exhausted:
            if !turn.isMoving {
                halt(because: "the battery has \(voltage.rounded) and does not recover", logbook, in: &turn)
            }
            return nil
        }
    }

    /// Returns `.ends` if the battery is no longer measured, because nothing could then show that it is good again.
    mutating func holdUploadsNow(in turn: inout Turn) -> Saving? {
        guard supply.isLow else { return nil }
        isSaving = voltage(at: turn.now) != nil
        holdUploads(into: &turn.effects)
        guard !isSaving else {
            turn.effects.arm(.holdUploads, at: turn.now + Self.measurementLife)
            return nil
        }
        supply = SupplyRule(limit: policy.lowVoltage)
        turn.effects.decide(.power, "the battery is no longer measured, so nothing pauses any more")
        return .ends
    }

    private mutating func holdUploads(into effects: inout EffectBuffer) {
        let wanted: UploadPermission = isSupplyLost ? .suspended : isSaving ? .finishing : .allowed
        guard wanted != permission else { return }
        permission = wanted
        effects.append(.uploads(wanted))
    }

    /// Overrides all other layers; tracking continues.
    private static let savingLayer = OptionLayer(
        .supply, name: "low battery",
        [
            OptionAssignment("beacons", .flag(false), source: "low battery"),
            OptionAssignment("desiredStoppedUpdateInterval", .duration(.zero), source: "low battery"),
            OptionAssignment("heartbeatInterval", .duration(.zero), source: "low battery"),
            OptionAssignment("indicator", .choice(Indicator.off.rawValue), source: "low battery"),
        ])

    // MARK: Halting

    /// The time counts from the arrival, the program's start, or the last attempt; a moving vehicle cancels the wait.
    mutating func waitToHalt(in turn: inout Turn) {
        isHaltPostponed = false
        if turn.isMoving { halts = HaltAttempts() }
        guard let patience = policy.haltAfter else { return }
        if turn.isMoving { turn.effects.cancel(.halt) } else { turn.effects.arm(.halt, at: turn.now + patience) }
    }

    /// Halts the board after `haltAfter` and a minute for deliveries, unless it is in use, the ignition is on, or a command
    /// keeps it awake.
    mutating func haltIfIdle(isInUse: Bool, _ logbook: Logbook, in turn: inout Turn) {
        guard !turn.isMoving, let patience = policy.haltAfter else { return }
        waitToHalt(in: &turn)
        guard !isInUse, ignition != true else { return halts.cancelDelivery() }
        if let awake = snapshot.awake, let end = awake.end {
            isHaltPostponed = true
            turn.effects.decide(.power, "not halted: a command keeps the board awake until \(awake.until)")
            return turn.effects.arm(.halt, at: end)
        }
        guard halts.isDue(at: turn.now) else { return }
        guard halts.hasDelivered(by: turn.now, within: Self.deliveryTime) else {
            // Deliver the record of the shutdown first, because it states why no more records follow.
            if halts.count == 0 { note(.shutdown, logbook, in: &turn) }
            halts.beginDelivery(at: turn.now)
            turn.effects.decide(.power, "waiting a minute for deliveries before the board halts")
            turn.effects.append(.deliver)
            return turn.effects.arm(.halt, at: turn.now + Self.deliveryTime)
        }
        halt(because: "parked for \(Int(patience.inSeconds)) s", logbook, in: &turn)
    }

    var haltsParkedBoard: Bool { policy.haltAfter != nil }

    func awakeUntil(at now: Instant) -> Timestamp? {
        snapshot.awake.flatMap { $0.isOver(at: now) ? nil : $0.until }
    }

    /// If `span` is nil, `haltAfter` applies again. An exhausted battery halts the board in any case.
    mutating func stayAwake(for span: Duration?, in turn: inout Turn) {
        guard policy.haltAfter != nil else { return }
        if let span {
            let period = AwakePeriod(lasting: span, at: turn.now, turn.utc, bootID: bootID)
            snapshot.awake = period
            halts.cancelDelivery()
            turn.effects.decide(.power, "a command keeps the board awake until \(period.until)")
        } else if snapshot.awake != nil {
            snapshot.awake = nil
            turn.effects.decide(.power, "a command no longer keeps the board awake")
        }
        if isHaltPostponed { turn.effects.arm(.halt, at: turn.now) }
    }

    mutating func followAwake(in turn: inout Turn) {
        guard var awake = snapshot.awake else { return }
        let (former, now) = (awake.end, turn.now)
        awake.follow(turn.utc, at: now)
        let isOver = awake.isOver(at: now)
        snapshot.awake = isOver ? nil : awake
        if isOver { turn.effects.decide(.power, "the time for which a command kept the board awake is over") }
        if isHaltPostponed, awake.end != former, let end = awake.end {
            turn.effects.arm(.halt, at: max(end, now))
        }
    }

    mutating func haltWasRefused(because reason: String, _ logbook: Logbook, in turn: inout Turn) {
        halts.wasRefused()
        if policy.haltAfter != nil { turn.effects.arm(.halt, at: halts.next) }
        turn.effects.decide(.power, "not halted: \(reason)")
        logbook.record(.health(HealthReport(.haltRefused, reason: reason)), in: &turn)
    }

    private mutating func halt(because reason: String, _ logbook: Logbook, in turn: inout Turn) {
        guard halts.isDue(at: turn.now) else { return }
        // If the system refuses the halt, the manager tries again, but it records the shutdown only once.
        if halts.count == 0, !halts.isDelivering { note(.shutdown, logbook, in: &turn) }
        halts.begin(at: turn.now)
        let attempt = halts.count == 1 ? "" : ", attempt \(halts.count)"
        turn.effects.decide(.power, "halting the board: \(reason)\(attempt)")
        turn.effects.append(.halt(wakeAfter: policy.wakeAfter))
    }

    // MARK: The light

    mutating func updateLight(hasRecorded: Bool, in turn: inout Turn) {
        let indicator = turn.options.indicator
        light.follow(indicator, isTracking: !turn.isSuspended, into: &turn.effects)
        if indicator == .updates, hasRecorded { light.recorded(at: turn.now, into: &turn.effects) }
    }

    mutating func lightTimer(in turn: inout Turn) {
        light.timer(turn.options.indicator, into: &turn.effects)
    }

    package struct Snapshot: Sendable, Hashable, Encodable {
        /// The last state of the ignition; off if the line was never read.
        package var ignition = false
        /// The number of boots in which the program has run.
        package var boots = 0
        package var bootID: String?
        /// Nil if no command keeps the board awake.
        package var awake: AwakePeriod?

        package enum CodingKeys: String, CodingKey { case ignition, boots, bootID, awake }

        func continued(by live: Self) -> Self {
            var merged = live
            merged.boots = boots + (bootID != nil && bootID == live.bootID ? 0 : live.boots)
            merged.awake = live.awake ?? awake
            return merged
        }
    }
}

extension PowerManager.Snapshot: EngineSnapshot {
    mutating func read(_ fields: inout SnapshotReader<CodingKeys>) {
        fields.read(.ignition, into: &ignition)
        fields.read(.boots, into: &boots)
        fields.read(.bootID, into: &bootID)
        fields.read(.awake, into: &awake)
    }
}
