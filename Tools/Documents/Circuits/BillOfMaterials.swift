/// Each type of part in one row, from which the drawings take their values.
package struct BillOfMaterials: Sendable, Hashable {
    package struct Row: Sendable, Hashable {
        package var names: [String]
        /// Short enough for a drawing.
        package var value: String
        /// What to buy: ratings, and an example.
        package var choice: String
        /// The reason for the value, with the source or the calculation.
        package var reason: String
    }

    package static let rows = supply + inputs + receiver

    /// The part must have a row.
    static func value(_ name: String) -> String {
        guard let row = rows.first(where: { $0.names.contains(name) }) else { preconditionFailure("\(name): no row") }
        return row.value
    }

    package static var table: String {
        let lines = rows.map { row in
            "| \(row.names.joined(separator: ", ")) | \(row.value) | \(row.choice) | \(row.reason) |"
        }
        return (["| part | value | what to buy | why, and source |", "| --- | --- | --- | --- |"] + lines)
            .joined(separator: "\n")
    }
}
