import Configuration
import Hardware
import Motion

extension Check {
    package static let accelerometer = Check("accelerometer") { facts in
        guard let wiring = facts.board?.accelerometer else { return [] }
        switch facts.bus {
        case nil: return []
        case .absent(let others)?: return [absent(wiring, others, facts)]
        case .forbidden?:
            return .fault("\(wiring.bus) is not accessible to \(facts.user?.name ?? "this user").", Self.access)
        case .failing(let reason)?:
            let remedy = "Check the wires SDA and SCL, and `bus` in the board file, then reboot."
            return .fault("trackerd cannot use \(wiring.bus) (\(reason)).", remedy)
        case .scanned(let answers, let elsewhere)?:
            return [judge(wiring, answers, elsewhere, facts)] + interrupt(facts)
        }
    }

    private static func interrupt(_ facts: Facts) -> [Finding] {
        switch facts.wire {
        case nil: return []
        case .works?: return .ok("the interrupt line follows the chip's pin.")
        case .faulty(let fault)?:
            let section = facts.section(BoardChange.removal(of: BoardChange.interrupt, from: facts.board))
            return .fault(fault, "Without this wire, write `\(section)`.")
        }
    }

    package static let access = """
        Install udev/99-trackerd.rules, add a rule for this device if the file does not cover it, and reboot. Then run the \
        doctor as the daemon's user: `sudo -u trackerd trackerd doctor`.
        """

    private static func absent(_ wiring: AccelerometerWiring, _ others: [BusFacts.Bus], _ facts: Facts) -> Finding {
        if let (bus, answer) = others.first(answering: { $0.models.contains(wiring.model) }) {
            return .fault(
                "\(wiring.bus) does not exist; \(wiring.model) answers on \(bus) at \(answer.address.hexadecimal).",
                write(facts, wiring.model, at: answer, on: bus))
        }
        guard !others.isEmpty else {
            return .fault(
                "\(wiring.bus) does not exist, and /dev contains no other I²C bus.",
                "Run `sudo modprobe i2c-dev` and install systemd/trackerd.modules-load; check that config.txt contains the line for this board (docs/wiring.md)."
            )
        }
        let list = others.map(\.path).joined(separator: ", ")
        return .fault(
            "\(wiring.bus) does not exist; this computer has only \(list).",
            "Add the line for this board to config.txt (docs/wiring.md) and reboot, or set another `accelerometer.bus`."
        )
    }

    private static func judge(
        _ wiring: AccelerometerWiring, _ answers: [BusFacts.Answer], _ elsewhere: [BusFacts.Bus], _ facts: Facts
    ) -> Finding {
        let address = wiring.address ?? Accelerometers.named(wiring.model)?.addresses.first
        let occupant = answers.first { $0.address == address }
        if let occupant, occupant.models.contains(wiring.model) { return present(wiring, occupant, facts) }
        let mute = occupant == nil ? "no chip answers" : "another chip answers"
        let place = address.map { "\(wiring.bus) address \($0.hexadecimal)" } ?? wiring.bus
        if let answer = answers.first(where: { $0.models.contains(wiring.model) }) {
            return .fault(
                "\(place): \(mute); \(wiring.model) answers at \(answer.address.hexadecimal).",
                write(
                    facts, wiring.model, at: answer, on: wiring.bus, or: "change the wiring of the chip's address pin"))
        }
        if let (bus, answer) = elsewhere.first(answering: { $0.models.contains(wiring.model) }) {
            return .fault(
                "\(place): \(mute); \(wiring.model) answers on \(bus) at \(answer.address.hexadecimal).",
                write(facts, wiring.model, at: answer, on: bus, or: "connect the chip to \(wiring.bus)"))
        }
        if let occupant {
            let other = answers.first { $0.address != address && !$0.models.isEmpty }
            guard let other, occupant.models.isEmpty else { return present(wiring, occupant, facts) }
            return .fault(
                "\(place): another chip answers (\(wiring.model) expected); \(names(other)) answers at \(other.address.hexadecimal).",
                write(facts, other.models[0], at: other, on: wiring.bus))
        }
        return missing(wiring, place, answers, elsewhere, facts)
    }

    /// Names another accelerometer that answers, or the addresses of unknown chips on the bus.
    private static func missing(
        _ wiring: AccelerometerWiring, _ place: String, _ answers: [BusFacts.Answer], _ elsewhere: [BusFacts.Bus],
        _ facts: Facts
    ) -> Finding {
        let expected = "\(place): no chip answers (\(wiring.model) expected)"
        if let answer = answers.first(where: { !$0.models.isEmpty }) {
            return .fault(
                "\(expected); \(names(answer)) answers at \(answer.address.hexadecimal).",
                write(facts, answer.models[0], at: answer, on: wiring.bus))
        }
        if let (bus, answer) = elsewhere.first(answering: { !$0.models.isEmpty }) {
            return .fault(
                "\(expected); \(names(answer)) answers on \(bus) at \(answer.address.hexadecimal).",
                write(facts, answer.models[0], at: answer, on: bus))
        }
        guard answers.isEmpty else {
            let list = answers.map { $0.address.hexadecimal }.joined(separator: ", ")
            let others = answers.count == 1 ? "an unknown chip answers" : "unknown chips answer"
            return .fault("\(expected); \(others) at \(list).", "Check the chip's supply and its address pin.")
        }
        return .fault(
            "\(expected), and no other chip answers on this bus.",
            "Check the chip's supply and ground. Check that SDA and SCL are not swapped, and that both have pull-ups (docs/wiring.md)."
        )
    }

    private static func present(_ wiring: AccelerometerWiring, _ answer: BusFacts.Answer, _ facts: Facts) -> Finding {
        let place = "\(wiring.bus) address \(answer.address.hexadecimal)"
        if let driver = answer.driver {
            return .fault(
                "\(place): the kernel driver `\(driver)` uses the chip.",
                "Remove the `dtoverlay` of this driver from config.txt, and reboot.")
        }
        if answer.models.contains(wiring.model) { return .ok("\(place): \(names(answer)) answers.") }
        guard let model = answer.models.first else {
            let removal = BoardChange.removal(of: "accelerometer", from: facts.board)
            return .fault(
                "\(place): an unknown chip answers (\(wiring.model) expected).",
                "Set the bus and address of the accelerometer, or write `\(facts.section(removal))`.")
        }
        return .fault(
            "\(place): \(names(answer)) answers (\(wiring.model) expected).",
            write(facts, model, at: answer, on: wiring.bus))
    }

    /// Such as `LIS3DH or LIS2DH12`.
    private static func names(_ answer: BusFacts.Answer) -> String { answer.models.joined(separator: " or ") }

    private static func write(
        _ facts: Facts, _ model: String, at answer: BusFacts.Answer, on bus: String, or alternative: String? = nil
    ) -> String {
        let changes = facts.board?.changes(toUse: model, at: answer.address, on: bus) ?? []
        let text = "Write `\(facts.section(changes))`"
        return alternative.map { "\(text), or \($0)." } ?? "\(text)."
    }
}

extension Facts {
    func section(_ change: BoardChange) -> String { section([change]) }

    /// The owner's other changes stay.
    func section(_ changes: [BoardChange]) -> String {
        let name = board?.name ?? "bare"
        // Without `base`, the section would change the board `bare`.
        let isNamed = entry?.base == name || entry?.base == ComputerModel.automatic
        let all = (isNamed ? [] : [BoardChange("base", name)]) + changes
        if let section = entry?.section(all) { return "board: \(section)" }
        let parts = [BoardChange("base", name)] + changes
        return "board: {\(parts.map { "\($0.key): \($0.value)" }.joined(separator: ", "))}"
    }
}

extension [BusFacts.Bus] {
    fileprivate func first(answering isMeant: (BusFacts.Answer) -> Bool) -> (bus: String, answer: BusFacts.Answer)? {
        for bus in self {
            if let answer = bus.answers.first(where: isMeant) { return (bus.path, answer) }
        }
        return nil
    }
}
