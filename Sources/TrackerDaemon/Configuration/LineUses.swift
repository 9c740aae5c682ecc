import Hardware
import Yams

/// Which line of a GPIO chip is used for what, so that none is given away twice.
struct LineUses {
    private struct Use {
        let key: String
        let line: LineReference
        let file: String
        let place: Int?
    }

    private var uses: [Use] = []

    /// Notes that a key names a line; what that key named before is forgotten.
    mutating func record(_ key: String, _ line: LineReference, at node: Node, in file: String) {
        forget(key)
        uses.append(Use(key: key, line: line, file: file, place: node.mark?.line))
    }

    /// Notes that a key names no line any more.
    mutating func forget(_ key: String) { uses.removeAll { Self.name($0.key) == Self.name(key) } }

    /// Notes a problem for each line of this file that is used elsewhere too.
    func check(_ problems: ProblemList) {
        for (index, use) in uses.enumerated() where use.file == problems.file {
            guard let other = uses[..<index].first(where: { Self.collide($0, use) }) else { continue }
            let place = other.place.map { "\(other.file):\($0)" } ?? other.file
            problems.add(
                "`\(use.key)` uses \(use.line), which `\(other.key)` uses too (\(place)). Give one of them another line.",
                line: use.place)
        }
    }

    /// A key is the same in the board's file and in the section of the configuration file that changes it.
    private static func name(_ key: String) -> String {
        key.hasPrefix("\(BoardChanges.key).") ? String(key.dropFirst(BoardChanges.key.count + 1)) : key
    }

    /// The pin that feeds the receiver is the kernel's, and may be the program's while the receiver is off.
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
