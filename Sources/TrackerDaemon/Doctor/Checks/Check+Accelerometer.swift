import Hardware

extension Check {
    /// Whether the accelerometer answers where the board's file says.
    static let accelerometer = Check("accelerometer") { facts in
        guard let wiring = facts.board?.accelerometer else { return [] }
        switch facts.bus {
        case nil: return []
        case .absent(let others)?: return [absent(wiring.bus, others)]
        case .forbidden?:
            return [.fault("\(wiring.bus) may not be opened by \(facts.user?.name ?? "this user").", Self.access)]
        case .failing(let reason)?:
            return [.fault("\(wiring.bus) cannot be used (\(reason)).", "Check SDA and SCL; then start anew.")]
        case .scanned(let answers, let elsewhere)?: return [judge(wiring, answers, elsewhere)]
        }
    }

    /// What to do where a device may not be opened.
    static let access = """
        Install udev/99-trackerd.rules and start anew, and ask as the daemon's user: `sudo -u trackerd trackerd doctor`.
        """

    private static func absent(_ bus: String, _ others: [String]) -> Finding {
        let list = others.isEmpty ? "there is no I²C bus at all" : "there is \(others.joined(separator: ", "))"
        return .fault(
            "\(bus) does not exist; \(list).",
            "Add the board's line to config.txt (docs/wiring.md) and start anew, or name another `accelerometer.bus`.")
    }

    private static func judge(
        _ wiring: AccelerometerWiring, _ answers: [BusFacts.Answer], _ elsewhere: [String]
    ) -> Finding {
        let known = answers.first { $0.model == wiring.model && (wiring.address ?? $0.address) == $0.address }
        if let known { return .ok("\(wiring.bus) address \(hex(known.address)): \(wiring.model) answers.") }
        if let answer = answers.first(where: { $0.address == wiring.address }) { return foreign(wiring, answer) }
        let place = wiring.address.map { "\(wiring.bus) address \(hex($0))" } ?? wiring.bus
        if let answer = answers.first(where: { $0.model == wiring.model }) {
            return .fault(
                "\(place): no chip answers; \(wiring.model) answers at \(hex(answer.address)).",
                "Write `board: {accelerometer: {address: \(hex(answer.address))}}`, or wire the chip's address pin.")
        }
        if let bus = elsewhere.first {
            return .fault(
                "\(place): no chip answers; \(wiring.model) answers on \(bus).",
                "Write `board: {accelerometer: {bus: \(bus)}}`, or wire it to the other bus.")
        }
        if let answer = answers.first(where: { $0.model != nil }), let model = answer.model {
            return .fault(
                "\(place): no chip answers (\(wiring.model) expected); \(model) answers at \(hex(answer.address)).",
                "Write `board: {accelerometer: {chip: \(model), address: \(hex(answer.address))}}`.")
        }
        guard answers.isEmpty else {
            let list = answers.map { hex($0.address) }.joined(separator: ", ")
            return .fault(
                "\(place): no chip answers (\(wiring.model) expected); something unknown does at \(list).",
                "Check the chip's supply and its address pin.")
        }
        return .fault(
            "\(place): no chip answers (\(wiring.model) expected), and nothing else does on this bus.",
            "Check supply, ground, and whether SDA and SCL are swapped or lack pull-ups (docs/wiring.md).")
    }

    private static func foreign(_ wiring: AccelerometerWiring, _ answer: BusFacts.Answer) -> Finding {
        let place = "\(wiring.bus) address \(hex(answer.address))"
        guard let model = answer.model else {
            return .fault(
                "\(place): a chip answers that is not \(wiring.model), nor any that is known.",
                "Name the bus and address of the accelerometer, or leave it out with `board: {accelerometer: none}`.")
        }
        return .fault(
            "\(place): \(model) answers (\(wiring.model) expected).",
            "Write `board: {accelerometer: {chip: \(model)}}`.")
    }

    /// An address as data sheets write it.
    private static func hex(_ address: UInt8) -> String {
        let digits = String(address, radix: 16)
        return "0x" + (digits.count < 2 ? "0" : "") + digits
    }
}
