package import Hardware

/// The chapters of docs/wiring.md, made from the board files.
package enum WiringTables {
    /// Returns a chapter in Markdown for each board with a header.
    package static func text(_ boards: [BoardDescription]) -> String {
        boards.map(WiringPlan.init).filter { !$0.parts.isEmpty }.map(chapter).joined(separator: "\n\n")
    }

    /// Returns the path of a board's drawing in docs.
    package static func drawing(of board: BoardDescription) -> String { "wiring/\(board.name).svg" }

    private static func chapter(_ plan: WiringPlan) -> String {
        let board = plan.board
        var lines = [
            "## \(board.text) (`--board \(board.name)`)", "", "![Wiring of a \(board.text)](\(drawing(of: board)))", "",
            "In `config.txt`:", "", "```",
        ]
        lines += (board.header?.bootLines ?? []) + ["```", ""]
        lines += (board.header?.notes ?? []).map { "- \($0)" } + ["- \(devices(board))", ""]
        lines += ["| pin | line | part | terminal | level | note |", "| --- | --- | --- | --- | --- | --- |"]
        let rows = plan.parts.flatMap { part in part.wires.map { (part: part, wire: $0) } }
        lines += rows.sorted { ($0.wire.pin, $0.part.name) < ($1.wire.pin, $1.part.name) }.map { row in
            let pin = HeaderPin.all[row.wire.pin - 1].name
            return
                "| \(row.wire.pin) | \(pin) | \(row.part.name) | \(row.wire.end)\(row.wire.through.map { " through \($0)" } ?? "") | \(row.wire.level) | \(row.wire.note) |"
        }
        return lines.joined(separator: "\n")
    }

    /// Returns a sentence about the devices that the program opens.
    private static func devices(_ board: BoardDescription) -> String {
        let bus = board.accelerometer.map { "the accelerometer on `\($0.bus)`, " } ?? ""
        let chip = board.header.map { "GPIO lines of the chip `\($0.chip)`, " } ?? ""
        let light =
            switch board.indicator {
            case .led(let name):
                ". With `indicator: always`, the board's LED `\(name)` is on while trackerd is tracking"
            case .line, nil: ""
            }
        return "trackerd uses \(bus)\(chip)and the receiver `\(board.gpsd.device ?? "any")` of gpsd\(light)."
    }
}
