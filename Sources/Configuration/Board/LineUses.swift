import Hardware
import Yams

/// Finds a GPIO line that two keys use, or that belongs to an I²C bus in use.
struct LineUses {
    private struct Use<Subject> {
        let key: String
        let subject: Subject
        let file: String
        let line: Int?

        var place: String { line.map { "\(file):\($0)" } ?? file }
        /// The key without the prefix `board.`, so that the keys of the board's file and of the section are equal.
        var name: String { LineUses.name(key) }
    }

    private var uses: [Use<LineReference>] = []
    private var buses: [Use<String>] = []

    mutating func record(_ key: String, _ line: LineReference, at node: Node, in file: String) {
        forget(key)
        uses.append(Use(key: key, subject: line, file: file, line: node.mark?.line))
    }

    mutating func record(_ key: String, bus: String, at node: Node?, in file: String) {
        forget(key)
        buses.append(Use(key: key, subject: bus, file: file, line: node?.mark?.line))
    }

    mutating func forget(_ key: String) {
        uses.removeAll { $0.name == Self.name(key) }
        buses.removeAll { $0.name == Self.name(key) }
    }

    func check(_ header: HeaderWiring?, _ problems: ProblemList) {
        for (index, use) in uses.enumerated() {
            if let (bus, role) = bus(with: use, header) {
                guard [use.file, bus.file].contains(problems.file) else { continue }
                noteBusLine(use, bus, role, problems)
            } else if use.file == problems.file, let other = uses[..<index].first(where: { Self.collide($0, use) }) {
                problems.add(
                    "`\(use.key)` uses \(use.subject), which `\(other.key)` also uses (\(other.place)). Choose another line for one of these keys.",
                    line: use.line)
            }
        }
    }

    /// Nil also for `header.data` and `header.clock`, which name the lines of a bus themselves.
    private func bus(with use: Use<LineReference>, _ header: HeaderWiring?) -> (bus: Use<String>, role: String)? {
        guard !Self.busLines.contains(use.name) else { return nil }
        for bus in buses {
            guard let lines = BusLines(of: bus.subject, on: use.subject.chip, header) else { continue }
            if use.subject.number == lines.data { return (bus, "data") }
            if use.subject.number == lines.clock { return (bus, "clock") }
        }
        return nil
    }

    private func noteBusLine(_ use: Use<LineReference>, _ bus: Use<String>, _ role: String, _ problems: ProblemList) {
        let place = bus.file == problems.file ? "" : " (\(bus.place))"
        let none = use.name == "accelerometer.interrupt" ? "`interrupt: none` and `wakeUp: none`" : "`none`"
        problems.add(
            "`\(use.key)` uses \(use.subject), which is the \(role) line of \(bus.subject), the bus of `\(bus.key)`\(place). Choose another line for `\(use.key)`, or write \(none) (docs/wiring.md).",
            line: use.file == problems.file ? use.line : bus.line)
    }

    private static func name(_ key: String) -> String {
        key.hasPrefix("board.") ? String(key.dropFirst("board.".count)) : key
    }

    private static let busLines: Set = ["header.data", "header.clock"]

    /// Both keys may name the transmit pin: the kernel drives it while the receiver is on, otherwise trackerd does.
    private static let shared: Set = ["header.transmit", "receiverPower.transmit"]

    private static func collide(_ one: Use<LineReference>, _ other: Use<LineReference>) -> Bool {
        guard one.subject.chip == other.subject.chip, !shared.isSuperset(of: [one.name, other.name]) else {
            return false
        }
        if let first = one.subject.number, let second = other.subject.number { return first == second }
        return one.subject.line == other.subject.line
    }
}
