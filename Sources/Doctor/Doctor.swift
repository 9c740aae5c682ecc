package import Configuration
import Glibc
package import Hardware
import Tracking
import TrackingOptions
package import Upload

/// Gathers the facts for the checks; probes examine the devices and the servers.
package struct Doctor {
    package var probes: DeviceProbes
    /// If empty, any model is accepted.
    package var models: [String]
    package var targets: TargetProbe
    package var isClockSynchronised: Bool

    package init(probes: DeviceProbes, models: [String], targets: TargetProbe, isClockSynchronised: Bool) {
        self.probes = probes
        self.models = models
        self.targets = targets
        self.isClockSynchronised = isClockSynchronised
    }

    /// Waits for the answers of servers and the receiver. Host and port of `gpsd` replace those of the board file.
    package func examine(config: String, board name: String?, gpsd: GpsdAddress? = nil, in folders: [String]) -> Facts {
        var facts = Facts()
        facts.user = UserFacts.ofThisProgram
        let configuration = read(config, into: &facts)
        facts.entry = configuration?.board
        readBoard(name, in: folders, entry: configuration?.board, into: &facts)
        if let gpsd {
            facts.board?.gpsd.host = gpsd.host
            facts.board?.gpsd.port = gpsd.port
        }
        if let board = facts.board, !board.isSimulated { look(at: board, configuration?.options, into: &facts) }
        if let configuration {
            facts.store = StoreFacts.look(at: configuration.storePath)
            facts.targets = configuration.targets.map { ExaminedTarget($0, by: targets) }
        }
        let hasFix = if case .fix = facts.receiver { true } else { false }
        facts.clock = ClockFacts(
            isSynchronised: isClockSynchronised, hasTimeOfFix: hasFix,
            isSetByReceiver: access(ClockFacts.receiverSource, F_OK) == 0)
        return facts
    }

    package func examine(_ board: BoardDescription) -> Facts {
        var facts = Facts()
        facts.board = board
        if !board.isSimulated { look(at: board, nil, into: &facts) }
        return facts
    }

    package static func tryTargets(of configuration: Configuration, _ probe: TargetProbe) -> [Finding] {
        configuration.targets.map { ExaminedTarget($0, by: probe).finding }
    }

    private func read(_ path: String, into facts: inout Facts) -> Configuration? {
        do throws(ConfigurationError) {
            let configuration = try Configuration.read(path)
            facts.configuration = .right(path: path, targets: configuration.targets.count, notes: configuration.notes)
            return configuration
        } catch {
            facts.configuration = .wrong(error.problems)
            return nil
        }
    }

    private func readBoard(_ name: String?, in folders: [String], entry: BoardEntry?, into facts: inout Facts) {
        do throws(ConfigurationError) {
            facts.board = try BoardFile.read(named: name, in: folders, entry: entry, models: models)
        } catch {
            if case .wrong(let problems) = facts.configuration {
                facts.configuration = .wrong(problems + error.problems)
            } else {
                facts.configuration = .wrong(error.problems)
            }
        }
    }

    private func look(at board: BoardDescription, _ options: TrackingOptions?, into facts: inout Facts) {
        if let accelerometer = board.accelerometer {
            facts.bus = probes.bus?.bus(of: accelerometer)
            facts.wire = probes.wire?.wire(of: accelerometer)
        }
        if let probe = probes.line {
            facts.lines = board.lines.map { key, line in
                let found = probe.line(line)
                // The supply is present while the doctor runs, so an active power-fail line is wrong.
                let isWrong = found == .free && key == "powerFail" && probe.isActive(line) == true
                return ExaminedLine(key: key, line: line, facts: found, isWronglyActive: isWrong)
            }
        }
        let accuracyLimit = (options ?? TrackingOptions()).accuracyLimit
        facts.receiver = probes.receiver?.receiver(at: board.gpsd, accuracyLimit: accuracyLimit)
        if let number = board.bluetooth { facts.adapter = probes.adapter?.adapter(number) }
        if let wiring = board.supply.monitor { facts.monitor = probes.monitor?.monitor(wiring) }
        if let probe = probes.system { examineSystem(board, by: probe, into: &facts) }
    }

    private func examineSystem(_ board: BoardDescription, by probe: any SystemProbe, into facts: inout Facts) {
        var files = board.restSettings.map { (ExaminedFile.Purpose.atRest, $0.path) }
        if case .led(let name)? = board.indicator { files.append((.light, "/sys/class/leds/\(name)/brightness")) }
        if board.isHalted, board.wakeUp == .clock { files.append((.alarm, "/sys/class/rtc/rtc0/wakealarm")) }
        facts.files = files.map { ExaminedFile(purpose: $0.0, path: $0.1, facts: probe.file($0.1)) }
        if board.receiverPower.kind == .ubx { facts.gpsdOptions = probe.gpsdOptions() }
        guard board.isHalted else { return }
        facts.haltRight = probe.haltRight()
        facts.bootSettings = probe.bootSettings()
    }
}

extension ExaminedTarget {
    fileprivate init(_ target: UploadTarget, by probe: TargetProbe) {
        let host = target.address.host
        let shown = target.proxy.map { "\(host) through the proxy \($0.host)" } ?? host
        self.init(name: target.name, host: shown, facts: probe.reach(target))
    }
}

extension BoardDescription {
    fileprivate var isHalted: Bool { power.haltAfter != nil || power.lowVoltage != nil }
}
