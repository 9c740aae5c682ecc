package import Hardware

/// The pins and the chapters of docs/wiring.md, made from the board files.
package enum WiringTables {
    /// Returns a table of the pins of all boards with a header, and a chapter for each board, in Markdown.
    package static func text(_ boards: [BoardDescription]) -> String {
        let plans = boards.map(WiringPlan.init).filter { !$0.parts.isEmpty }
        return ([pins(plans)] + plans.map(\.board).map(chapter)).joined(separator: "\n\n")
    }

    /// Returns the path of a board's drawing below docs.
    package static func drawing(of board: BoardDescription) -> String { "wiring/\(board.name).svg" }

    /// Boards with the same wires, which share a column.
    private struct Column {
        var names: [String]
        let parts: [WiringPlan.Part]

        /// Returns the cell of a terminal: its pin and line.
        func cell(_ row: Row) -> String {
            let wires = parts.first { $0.name == row.part }?.wires ?? []
            guard let wire = wires.first(where: { Row(row.part, $0) == row }) else { return "–" }
            return "\(wire.pin): \(HeaderPin.all[wire.pin - 1].name)"
        }
    }

    /// A terminal of a part, whatever its pin.
    private struct Row: Hashable {
        let part: String
        let wire: WiringPlan.Wire

        init(_ part: String, _ wire: WiringPlan.Wire) {
            self.part = part
            self.wire = WiringPlan.Wire(
                pin: 0, end: wire.end, through: wire.through, level: wire.level, note: wire.note)
        }
    }

    private static func pins(_ plans: [WiringPlan]) -> String {
        var columns: [Column] = []
        for plan in plans {
            if let index = columns.firstIndex(where: { $0.parts == plan.parts }) {
                columns[index].names.append(plan.board.name)
            } else {
                columns.append(Column(names: [plan.board.name], parts: plan.parts))
            }
        }
        let heads = columns.map { $0.names.map { "`\($0)`" }.joined(separator: ", ") }
        let head = ["part", "terminal"] + heads + ["level", "note"]
        let lines = [head, head.map { _ in "---" }]
        let cells = rows(columns).map { row in
            [row.part, row.wire.end + (row.wire.through.map { " through \($0)" } ?? "")]
                + columns.map { $0.cell(row) } + [row.wire.level, row.wire.note]
        }
        return "## Pins\n\n"
            + (lines + cells).map { "| \($0.joined(separator: " | ")) |" }.joined(separator: "\n")
    }

    /// Returns each terminal once, the terminals of a part together.
    private static func rows(_ columns: [Column]) -> [Row] {
        var names: [String] = []
        for name in columns.flatMap({ $0.parts.map(\.name) }) where !names.contains(name) { names.append(name) }
        var rows: [Row] = []
        for name in names {
            for wire in columns.flatMap(\.parts).filter({ $0.name == name }).flatMap(\.wires)
            where !rows.contains(Row(name, wire)) {
                rows.append(Row(name, wire))
            }
        }
        return rows
    }

    private static func chapter(_ board: BoardDescription) -> String {
        var lines = ["## \(board.text) (`--board \(board.name)`)", ""]
        lines += ["![Wiring of a \(board.text)](\(drawing(of: board)))", "", "In `config.txt`:", "", "```"]
        lines += (board.header?.bootLines ?? []) + ["```", ""]
        lines += (board.header?.notes ?? []).map { "- \($0)" } + ["- \(devices(board))"]
        return lines.joined(separator: "\n")
    }

    /// Returns a line about the devices that the program opens.
    private static func devices(_ board: BoardDescription) -> String {
        var devices = board.accelerometer.map { ["I²C bus `\($0.bus)`"] } ?? []
        devices += board.header.map { ["GPIO chip `\($0.chip)`"] } ?? []
        if case .led(let name) = board.indicator { devices.append("light `\(name)`") }
        return devices.joined(separator: ", ") + "."
    }
}
