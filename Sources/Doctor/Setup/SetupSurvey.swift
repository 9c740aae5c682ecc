package import Configuration
import Hardware

package struct SetupSurvey: Sendable {
    /// A part in the board's file that no probe can find.
    package struct UnseenPart: Sendable, Hashable {
        package let title: String
        package let removal: [BoardChange]
    }

    package let findings: [Examination.Entry]
    private let facts: Facts

    package init(_ facts: Facts) {
        self.facts = facts
        findings = Examination(of: facts).entries.filter { Self.shown.contains($0.check) }
    }

    private static let shown: Set = ["accelerometer", "lines", "receiver", "gpsd", "bluetooth", "battery"]

    package var lacksAccelerometer: Bool {
        otherAccelerometer == nil && findings.contains { $0.check == "accelerometer" && $0.finding.grade == .fault }
    }

    package var accelerometerRemoval: [BoardChange] { BoardChange.removal(of: "accelerometer", from: facts.board) }

    /// An accelerometer that differs from the board's file in bus, address or model, and the changes to use it. Nil if
    /// the file has no accelerometer, if the one in the file answers, or if no known one does.
    package var otherAccelerometer: (text: String, changes: [BoardChange])? {
        guard let board = facts.board, let wiring = board.accelerometer else { return nil }
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
        // Some models have the same identity; the one in the board's file is preferred.
        let known = all.filter { !$0.answer.models.isEmpty }
        guard !isRight, let found = known.first(where: { $0.answer.models.contains(wiring.model) }) ?? known.first
        else {
            return nil
        }
        let model = found.answer.models.contains(wiring.model) ? wiring.model : found.answer.models[0]
        return (
            "\(model) at \(found.answer.address.hexadecimal) on \(found.bus)",
            board.changes(toUse: model, at: found.answer.address, on: found.bus)
        )
    }

    /// Only the owner knows whether the board has these parts.
    package func unseenParts(after changes: [BoardChange] = []) -> [UnseenPart] {
        guard let board = facts.board else { return [] }
        var parts: [UnseenPart] = []
        func add(_ title: String, _ key: String) {
            guard !changes.contains(where: { $0.key == key }) else { return }
            parts.append(UnseenPart(title: title, removal: BoardChange.removal(of: key, from: board)))
        }
        let isGone = changes.contains {
            $0.key == "accelerometer" && ($0.value == "none" || $0.value.contains("interrupt: none"))
        }
        if board.accelerometer?.interrupt != nil, !isGone, facts.wire != .works {
            add("the interrupt INT1 of the accelerometer", BoardChange.interrupt)
        }
        if case .rail = board.receiverPower.kind { add("the load switch of the receiver", "receiverPower") }
        if board.supply.ignition != nil { add("the ignition input", "ignition") }
        if board.privateSwitch != nil { add("the private switch", "private") }
        if board.supply.powerFail != nil { add("the power-fail input", "powerFail") }
        return parts
    }
}
