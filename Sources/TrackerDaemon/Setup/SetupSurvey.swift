package import Hardware

/// A change to a value of the board's own file.
package struct BoardChange: Sendable, Hashable {
    /// The key in the section `board`.
    package let key: String
    /// The value as YAML.
    package let value: String

    /// Makes a change.
    package init(_ key: String, _ value: String) {
        self.key = key
        self.value = value
    }
}

/// The findings of `trackerd setup` about a board, and the changes that they suggest for the configuration.
package struct SetupSurvey: Sendable {
    /// A part in the wiring drawing that no probe can find.
    package struct UnseenPart: Sendable, Hashable {
        /// The part's name in a question.
        package let title: String
        /// The change that removes the part.
        package let removal: BoardChange
    }

    /// The findings about the devices.
    package let findings: [Examination.Entry]
    private let facts: Facts

    /// Judges the facts about a board.
    package init(_ facts: Facts) {
        self.facts = facts
        findings = Examination(of: facts).entries.filter { Self.shown.contains($0.check) }
    }

    /// The checks that concern the devices.
    private static let shown: Set = ["accelerometer", "lines", "receiver", "gpsd", "bluetooth", "battery"]

    /// Whether the accelerometer in the board's file does not work, and no other accelerometer answers.
    package var lacksAccelerometer: Bool {
        otherAccelerometer == nil && findings.contains { $0.check == "accelerometer" && $0.finding.grade == .fault }
    }

    /// The changes that remove the accelerometer.
    package var accelerometerRemoval: [BoardChange] { Self.removal(of: "accelerometer", from: facts.board) }

    /// Returns the changes that remove a part of a board.
    package static func removal(of key: String, from board: BoardDescription?) -> [BoardChange] {
        switch key {
        case "receiverPower": [BoardChange(key, "{kind: none}")]
        // `wakeUp: line` needs the accelerometer's interrupt line.
        case "accelerometer" where board?.wakeUp == .line:
            [BoardChange(key, "none"), BoardChange("wakeUp", "none")]
        default: [BoardChange(key, "none")]
        }
    }

    /// An accelerometer that differs from the board's file, and the change that makes trackerd use it.
    ///
    /// The accelerometer has another bus, another address or another model. The value is nil if the board's file
    /// contains no accelerometer, if the accelerometer in the file answers, or if no known accelerometer answers.
    package var otherAccelerometer: (text: String, change: BoardChange)? {
        guard let wiring = facts.board?.accelerometer else { return nil }
        let buses: [BusFacts.Bus] =
            switch facts.bus {
            case .scanned(let answers, let elsewhere)?: [BusFacts.Bus(wiring.bus, answers: answers)] + elsewhere
            case .absent(let others)?: others
            case .forbidden?, .failing?, nil: []
            }
        let all = buses.flatMap { bus in bus.answers.map { (bus: bus.path, answer: $0) } }
        let isRight = all.contains { found in
            found.bus == wiring.bus && found.answer.models.contains(wiring.model)
                && wiring.address.map { $0 == found.answer.address } ?? true
        }
        // Some models have the same identity. Prefer the model in the board's file if it is among the models found.
        let known = all.filter { !$0.answer.models.isEmpty }
        guard !isRight, let found = known.first(where: { $0.answer.models.contains(wiring.model) }) ?? known.first
        else {
            return nil
        }
        let model = found.answer.models.contains(wiring.model) ? wiring.model : found.answer.models[0]
        let address = "0x" + String(found.answer.address, radix: 16)
        return (
            "\(model) at \(address) on \(found.bus)",
            BoardChange("accelerometer", "{bus: \(found.bus), chip: \(model), address: \(address)}")
        )
    }

    /// The parts that no probe can find; only the owner knows whether the board has them.
    package var unseenParts: [UnseenPart] {
        guard let board = facts.board else { return [] }
        var parts: [(title: String, key: String)] = []
        if case .rail = board.receiverPower.kind { parts.append(("the load switch of the receiver", "receiverPower")) }
        if board.supply.ignition != nil { parts.append(("the ignition input", "ignition")) }
        if board.privateSwitch != nil { parts.append(("the private switch", "private")) }
        if board.supply.powerFail != nil { parts.append(("the power-fail input", "powerFail")) }
        return parts.flatMap { part in
            Self.removal(of: part.key, from: board).map { UnseenPart(title: part.title, removal: $0) }
        }
    }
}
