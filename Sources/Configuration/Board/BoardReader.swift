import Hardware
import Motion
import Quantities
import Tracking
import TrackingOptions

/// Reads a board's file, or changes to it. A missing key leaves the description as it is; `none` removes a part.
struct BoardReader {
    private(set) var board: BoardDescription
    /// False if only changes are read, which need not have all keys of a part.
    private let isComplete: Bool
    private var lines = LineUses()
    private let models: [String]

    init(_ board: BoardDescription, models: [String] = [], isComplete: Bool = true) {
        self.board = board
        self.models = models
        self.isComplete = isComplete
    }

    mutating func read(_ file: inout MappingReader) {
        board.text = file.string("description") ?? board.text
        // Marks the key as known; `BoardFile.name(of:in:)` reads the models in it.
        _ = file.child("deviceTree")
        board.isSimulated = file.flag("simulated") ?? board.isSimulated
        readGpsd(&file)
        readAccelerometer(&file)
        readReceiverPower(&file)
        board.bluetooth = file.either("bluetooth", now: board.bluetooth) { $0.integer("bluetooth", 0...15) }
        board.supply.ignition = line("ignition", now: board.supply.ignition, in: &file)
        board.privateSwitch = line("private", now: board.privateSwitch, in: &file)
        board.supply.powerFail = line("powerFail", now: board.supply.powerFail, in: &file)
        readSupplyMonitor(&file)
        readIndicator(&file)
        readRestSettings(&file)
        board.wakeUp = file.either("wakeUp", now: board.wakeUp) { $0.word("wakeUp", WakeUp.self) }
        readPower(&file)
        readHeader(&file)
        readCurrents(&file)
        lines.check(board.header, file.problems)
        checkWakeUp(&file)
        checkHalt(&file)
    }

    private mutating func readGpsd(_ file: inout MappingReader) {
        file.section("gpsd") { reader in
            board.gpsd.host = reader.string("host") ?? board.gpsd.host
            board.gpsd.port = reader.integer("port", 1...65_535).map(UInt16.init) ?? board.gpsd.port
            board.gpsd.device = reader.string("device") ?? board.gpsd.device
        }
    }

    private mutating func readAccelerometer(_ file: inout MappingReader) {
        var interrupt = board.accelerometer?.interrupt
        let wiring = file.part("accelerometer", now: board.accelerometer) { reader, now in
            interrupt = line("interrupt", now: interrupt, in: &reader)
            let bus = bus(now: now?.bus, in: &reader)
            let model = model(&reader) ?? now?.model
            need("chip", "Set the accelerometer model, such as `chip: LIS3DH`.", in: reader, unless: now != nil)
            let address = reader.integer("address", Self.busAddresses).map(UInt8.init) ?? now?.address
            // Below 0.05 m/s², a chip's own noise would wake it; above 20 m/s², only a crash would.
            let threshold = reader.number("wakeThreshold", 0.05...20, unit: " of m/s²").map { Acceleration($0) }
            let levels = levels(&reader, now: now?.levels ?? MotionDetector.Thresholds())
            guard let bus, let model else { return nil }
            var wiring = AccelerometerWiring(
                bus: bus, model: model, address: address, interrupt: interrupt, levels: levels)
            if let threshold = threshold ?? now?.wakeThreshold { wiring.wakeThreshold = threshold }
            return wiring
        }
        board.accelerometer = wiring
        if wiring == nil { for key in ["interrupt", "bus"] { lines.forget("accelerometer.\(key)") } }
    }

    private func levels(_ reader: inout MappingReader, now: MotionDetector.Thresholds) -> MotionDetector.Thresholds {
        let moving = reader.number("movingLevel", 0.02...5, unit: " of m/s²").map { Acceleration($0) }
        let still = reader.number("stillLevel", 0.01...5, unit: " of m/s²").map { Acceleration($0) }
        let levels = MotionDetector.Thresholds(
            movingLevel: moving ?? now.movingLevel, stillLevel: still ?? now.stillLevel)
        if levels.stillLevel > levels.movingLevel, let node = reader.child("stillLevel") ?? reader.child("movingLevel")
        {
            reader.problems.add(
                "`stillLevel` (\(levels.stillLevel.value)) is above `movingLevel` (\(levels.movingLevel.value)). Lower `stillLevel`.",
                at: node)
        }
        return levels
    }

    private func model(_ reader: inout MappingReader) -> String? {
        guard let model = reader.string("chip"), let node = reader.child("chip") else { return nil }
        if models.isEmpty { return model }
        if let known = models.first(where: { Self.plain($0) == Self.plain(model) }) { return known }
        let hint = Spelling.nearest(to: model, among: models).map { " Did you mean `\($0)`?" } ?? ""
        return reader.wrong("chip", node, "one of \(models.sorted().joined(separator: ", "))", hint: hint)
    }

    private static func plain(_ model: String) -> String { model.lowercased().filter { $0 != "-" } }

    private enum PowerKind: String, CaseIterable {
        case nothing = "none"
        case rail, ubx
    }

    private mutating func readReceiverPower(_ file: inout MappingReader) {
        var power = board.receiverPower
        file.section("receiverPower") { reader in
            power.kind = kind(now: power.kind, in: &reader)
            power.powerUpTime = reader.duration("powerUpTime", .zero ... .seconds(60)) ?? power.powerUpTime
            power.transmit = line("transmit", now: power.transmit, in: &reader)
            power.reset = line("reset", now: power.reset, in: &reader)
            power.gpsdControl = reader.either("gpsdControl", now: power.gpsdControl) { $0.string("gpsdControl") }
        }
        board.receiverPower = power
    }

    private mutating func kind(now: ReceiverPowerWiring.Kind, in reader: inout MappingReader)
        -> ReceiverPowerWiring.Kind
    {
        let kind = reader.word("kind", PowerKind.self)
        var rail: LineReference?
        if case .rail(let line) = now { rail = line }
        rail = line("line", now: rail, in: &reader)
        switch kind {
        case .nothing?, .ubx?:
            lines.forget(reader.full("line"))
            return kind == .ubx ? .ubx : .none
        case .rail?, nil:
            if let rail { return .rail(rail) }
            if kind == .rail { needRail(reader) }
            return now
        }
    }

    private func needRail(_ reader: MappingReader) {
        need(
            "line", "Set the line of the load switch, such as `line: {chip: pinctrl-bcm2711, line: GPIO18}`.",
            in: reader)
    }

    private mutating func readSupplyMonitor(_ file: inout MappingReader) {
        board.supply.monitor = file.part("supplyMonitor", now: board.supply.monitor) { reader, now in
            reader.part("ina219", now: now) { reader, now in
                let bus = bus(now: now?.bus, in: &reader)
                // The two address pins of an INA219 choose one of sixteen addresses (its data sheet, table 1).
                let address = reader.integer("address", 0x40...0x4F).map(UInt8.init) ?? now?.address ?? 0x40
                // Below 1, an amplifier would be required; above 20, one step of the chip would be more than 80 mV.
                let divider = reader.number("divider", 1...20) ?? now?.divider ?? 1
                return bus.map { SupplyWiring.Monitor(bus: $0, address: address, divider: divider) }
            }
        }
        if board.supply.monitor == nil { lines.forget("supplyMonitor.ina219.bus") }
    }

    private mutating func readIndicator(_ file: inout MappingReader) {
        board.indicator = file.part("indicator", now: board.indicator) { reader, now in
            if let name = reader.string("led") {
                lines.forget(reader.full("line"))
                return .led(name)
            }
            var old: LineReference?
            if case .line(let line) = now { old = line }
            return line("line", now: old, in: &reader).map { .line($0) }
        }
        if board.indicator == nil { lines.forget("indicator.line") }
    }

    private mutating func readRestSettings(_ file: inout MappingReader) {
        guard file.child("atRest") != nil else { return }
        board.restSettings = file.list("atRest").compactMap { entry in
            guard var reader = MappingReader(entry, path: file.full("atRest"), problems: file.problems) else {
                return nil
            }
            let path = reader.string("file")
            let value = reader.string("value")
            reader.finish()
            guard let path, let value else {
                file.problems.add("an entry of `atRest` needs `file` and `value`. Write both.", at: entry)
                return nil
            }
            // The daemon must not be made to write to files outside /sys.
            guard path.hasPrefix("/sys/"), !path.contains("/../") else {
                return reader.wrong("file", reader.child("file") ?? entry, "a file below /sys")
            }
            return RestSetting(path: path, value: value)
        }
    }

    private mutating func readHeader(_ file: inout MappingReader) {
        board.header = file.part("header", now: board.header) { reader, now in
            var header = now ?? HeaderWiring(chip: "")
            header.chip = reader.string("chip") ?? header.chip
            need("chip", "Set the label of the header's GPIO chip.", in: reader, unless: now != nil)
            header.data = pin("data", now: header.data, on: header.chip, in: &reader)
            header.clock = pin("clock", now: header.clock, on: header.chip, in: &reader)
            header.transmit = pin("transmit", now: header.transmit, on: header.chip, in: &reader)
            header.receive = pin("receive", now: header.receive, on: header.chip, in: &reader)
            if reader.child("boot") != nil { header.bootLines = reader.texts("boot") }
            if reader.child("notes") != nil { header.notes = reader.texts("notes") }
            return header
        }
    }

    private mutating func readCurrents(_ file: inout MappingReader) {
        file.section("currents_mA") { reader in
            let range = 0.0...10_000
            board.currents.board_mA = reader.number("board", range) ?? board.currents.board_mA
            board.currents.halted_mA = reader.number("halted", range) ?? board.currents.halted_mA
            board.currents.searching_mA = reader.number("searching", range) ?? board.currents.searching_mA
            board.currents.tracking_mA = reader.number("tracking", range) ?? board.currents.tracking_mA
        }
    }

    private mutating func readPower(_ file: inout MappingReader) {
        // After less than 300 s, the board would halt at a level crossing, and miss the next start while it boots.
        board.power.haltAfter = file.either("haltAfter", now: board.power.haltAfter) {
            $0.duration("haltAfter", .seconds(300) ... .seconds(30 * 86_400))
        }
        board.power.wakeAfter = file.either("wakeAfter", now: board.power.wakeAfter) {
            $0.duration("wakeAfter", .seconds(60) ... .seconds(30 * 86_400))
        }
        board.power.lowVoltage = file.either("lowVoltage", now: board.power.lowVoltage) {
            $0.number("lowVoltage", 5...50, unit: " of volts").map { Volts($0) }
        }
    }

    private func checkHalt(_ file: inout MappingReader) {
        guard isComplete else { return }
        // `lowVoltage` also halts the board, if the battery's voltage remains low.
        let key = board.power.haltAfter != nil ? "haltAfter" : "lowVoltage"
        let doesHalt = board.power.haltAfter != nil || board.power.lowVoltage != nil
        if doesHalt, board.wakeUp == nil, let node = file.child(key) ?? file.child("wakeUp") {
            file.problems.add(
                "`\(key)` needs a way to boot the board again. Set `wakeUp` to `line`, `clock` or `supply`.", at: node)
        }
        if doesHalt, board.wakeUp == .clock, board.power.wakeAfter == nil,
            let node = file.child(key) ?? file.child("wakeUp")
        {
            file.problems.add(
                "`wakeUp: clock` needs `wakeAfter`. Set the time for which the board remains halted, such as `wakeAfter: 12h`.",
                at: node)
        }
        if board.power.lowVoltage != nil, board.supply.monitor == nil, let node = file.child("lowVoltage") {
            file.problems.add(
                "`lowVoltage` needs a `supplyMonitor`, but the board has none. Add one, or remove `lowVoltage`.",
                at: node)
        }
        checkRange(&file)
    }

    /// Checks that a load dump in the vehicle does not destroy the monitor.
    private func checkRange(_ file: inout MappingReader) {
        guard let monitor = board.supply.monitor, !board.power.measuresCells,
            let node = file.child("supplyMonitor") ?? file.child("lowVoltage")
        else { return }
        // Without `lowVoltage`, the vehicle probably has 12 V; the doctor measures the voltage.
        let dump = SupplyWiring.Monitor.loadDump(at: board.power.lowVoltage ?? Volts(12))
        guard monitor.maximum < dump else { return }
        let most = Int(monitor.maximum.value)
        file.problems.add(
            "A \(dump < Volts(40) ? 12 : 24) V supply reaches \(Int(dump.value)) V if the vehicle's battery is disconnected during charging, but this INA219 and its divider tolerate at most \(most) V. Fit a voltage divider of 20 kΩ and 10 kΩ, and write its ratio: `supplyMonitor: {ina219: {divider: 3}}`.",
            at: node)
    }

    private func checkWakeUp(_ file: inout MappingReader) {
        guard isComplete, board.wakeUp == .line else { return }
        let interrupt = board.accelerometer?.interrupt
        guard let node = file.child("wakeUp") ?? file.child("accelerometer") else { return }
        guard let interrupt else {
            file.problems.add(
                "`wakeUp: line` needs the accelerometer's `interrupt`, which is missing. Add it, or write `wakeUp: none`.",
                at: node)
            return
        }
        guard let fault = WakePin.fault(of: interrupt) else { return }
        file.problems.add("`wakeUp: line` cannot work: \(fault)", at: file.child("accelerometer") ?? node)
    }
}

extension BoardReader {
    /// The I²C specification (table 4) reserves all other addresses.
    private static let busAddresses = 0x08...0x77

    private mutating func line(_ key: String, now: LineReference?, in file: inout MappingReader) -> LineReference? {
        let place = file.child(key)
        let line = file.part(key, now: now) { reader, now in
            let chip = reader.string("chip") ?? now?.chip
            let line = reader.line("line") ?? now?.line
            need("chip", "Set the label of the GPIO chip, which `gpiodetect` shows.", in: reader, unless: now != nil)
            need(
                "line", "Set the name of the line, such as `line: GPIO17`, or the number of the line.", in: reader,
                unless: now != nil)
            let isActiveLow = reader.flag("activeLow") ?? now?.isActiveLow ?? false
            let bias = reader.word("bias", LineReference.Bias.self) ?? now?.bias ?? LineReference.Bias.none
            guard let chip, let line else { return nil }
            return LineReference(chip: chip, line: line, isActiveLow: isActiveLow, bias: bias)
        }
        guard let place else { return line }
        if let line {
            lines.record(file.full(key), line, at: place, in: file.problems.file)
        } else {
            lines.forget(file.full(key))
        }
        return line
    }

    private mutating func bus(now: String?, in reader: inout MappingReader) -> String? {
        let place = reader.child("bus")
        let bus = reader.device("bus")
        if let bus { lines.record(reader.full("bus"), bus: bus, at: place, in: reader.problems.file) }
        need("bus", "Set the I²C bus, such as `bus: /dev/i2c-1`.", in: reader, unless: now != nil)
        return bus ?? now
    }

    private mutating func pin(_ key: String, now: Int?, on chip: String, in reader: inout MappingReader) -> Int? {
        guard let place = reader.child(key), let number = reader.integer(key, 0...27) else { return now }
        let line = LineReference(chip: chip, line: .offset(number))
        lines.record(reader.full(key), line, at: place, in: reader.problems.file)
        return number
    }

    private func need(_ key: String, _ remedy: String, in reader: MappingReader, unless isKnown: Bool = false) {
        if isComplete, !isKnown { reader.missing(key, remedy) }
    }
}
