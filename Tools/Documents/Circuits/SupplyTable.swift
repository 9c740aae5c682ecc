package import Hardware

/// The table of boards in docs/supply.md.
package enum SupplyTable {
    package static func text(_ boards: [BoardDescription]) -> String {
        let head = [
            "| board | recommended supply, 5 V | highest current at 9 V | F1 | C2 and C3 supply the board for | parked, on: 12 V, 24 V | parked, halted: 12 V, 24 V | half of a 12 V battery of 70 Ah lasts, board on |",
            "| --- | --- | --- | --- | --- | --- | --- | --- |",
        ]
        let rows = boards.compactMap { board in SupplyNeed(board).map { row(board, $0) } }
        return (head + rows).joined(separator: "\n")
    }

    private static func row(_ board: BoardDescription, _ need: SupplyNeed) -> String {
        let on = "\(tenths(need.perDay(at: 12.5))), \(tenths(need.perDay(at: 25))) Ah a day"
        let halted =
            need.perDayHalted(at: 12.5).flatMap { low in
                need.perDayHalted(at: 25).map { "\(tenths(low)), \(tenths($0)) Ah a day" }
            } ?? "not known"
        let days = tenths(35 / need.perDay(at: 12.5))
        return
            "| \(board.text) | \(tenths(need.recommended)) A | \(tenths(need.inputCurrent)) A | \(need.fuse) A | \(tenths(need.holdUp)) s | \(on) | \(halted) | \(days) days |"
    }

    private static func tenths(_ value: Double) -> String {
        let count = Int((value * 10).rounded())
        return "\(count / 10).\(count % 10)"
    }
}
