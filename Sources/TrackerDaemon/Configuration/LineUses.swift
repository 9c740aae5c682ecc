import Hardware
import Yams

/// Records which keys use each GPIO line, and finds a line that two keys use.
struct LineUses {
    private struct Use {
        let key: String
        let line: LineReference
        let file: String
        let place: Int?
    }

    private var uses: [Use] = []

    /// Records that a key uses a line; removes the line that the key used before.
    mutating func record(_ key: String, _ line: LineReference, at node: Node, in file: String) {
        forget(key)
        uses.append(Use(key: key, line: line, file: file, place: node.mark?.line))
    }

    /// Records that a key no longer uses a line.
    mutating func forget(_ key: String) { uses.removeAll { Self.name($0.key) == Self.name(key) } }

    /// Notes an error for each line in this file that another key also uses.
    func check(_ problems: ProblemList) {
        for (index, use) in uses.enumerated() where use.file == problems.file {
            guard let other = uses[..<index].first(where: { Self.collide($0, use) }) else { continue }
            let place = other.place.map { "\(other.file):\($0)" } ?? other.file
            problems.add(
                "`\(use.key)` uses \(use.line), which `\(other.key)` also uses (\(place)). Choose another line for one of these keys.",
                line: use.place)
        }
    }

    /// Removes the prefix `board.`, because a key of the board's file and the same key in the section `board` must be
    /// equal.
    private static func name(_ key: String) -> String {
        key.hasPrefix("\(BoardEntry.key).") ? String(key.dropFirst(BoardEntry.key.count + 1)) : key
    }

    /// The keys that may both use the transmit pin.
    ///
    /// The kernel uses this pin, and the program may use it while the receiver is off.
    private static let shared: Set = ["header.transmit", "receiverPower.transmit"]

    private static func collide(_ one: Use, _ other: Use) -> Bool {
        areSame(one.line, other.line) && !shared.isSuperset(of: [name(one.key), name(other.key)])
    }

    private static func areSame(_ one: LineReference, _ other: LineReference) -> Bool {
        guard one.chip == other.chip else { return false }
        if let first = one.number, let second = other.number { return first == second }
        return one.line == other.line
    }
}
