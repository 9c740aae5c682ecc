import Hardware
import Tracking
import TrackingOptions

extension Check {
    /// Whether the lines of the board can be had.
    static let lines = Check("lines") { facts in
        facts.lines.map { judge($0, user: facts.user?.name ?? "this user") }
    }

    /// How the daemon calls itself where it holds a line.
    static let consumer = "trackerd"

    private static func judge(_ examined: ExaminedLine, user: String) -> Finding {
        let line = examined.line
        let subject = "`\(examined.key)`, \(line),"
        switch examined.facts {
        case .noChip(let labels):
            let list = labels.isEmpty ? "there is none" : "there is \(labels.joined(separator: ", "))"
            return .fault(
                "`\(examined.key)`: no GPIO chip is called \(line.chip); \(list).",
                "Start with the board that this is (`--board`), or name the chip in its file.")
        case .forbidden: return .fault("\(subject) may not be opened by \(user).", access)
        case .noLine(let names):
            let name = if case .name(let name) = line.line { name } else { "" }
            let hint = Spelling.nearest(to: name, among: names).map { " Did you mean `\($0)`?" } ?? ""
            return .fault(
                "\(subject) does not exist.\(hint)", "Run `gpioinfo` for the names and numbers that there are.")
        case .held(by: consumer, _): return .ok("\(subject) is in use by the daemon.")
        case .held(let holder, let program):
            let name = holder.isEmpty ? "somebody who gives no name" : "`\(holder)`"
            return .fault(
                "\(subject) is held by \(program.map { "\(name), the program \($0)" } ?? name).",
                "End that program, take its overlay out of config.txt, or use another line.")
        case .free: return .ok("\(subject) can be had.")
        }
    }
}
