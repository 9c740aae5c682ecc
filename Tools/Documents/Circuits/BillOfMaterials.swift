/// The parts of the circuits around the board, each type in one row.
///
/// The drawings take the values from these rows, so a table and a drawing cannot differ.
package struct BillOfMaterials: Sendable, Hashable {
    /// One type of part.
    package struct Row: Sendable, Hashable {
        /// The names in the drawings, such as `C2`.
        package var names: [String]
        /// The value or the type, short enough for a drawing.
        package var value: String
        /// What to buy: ratings, and an example.
        package var choice: String
        /// The reason for the value, with the source or the calculation.
        package var reason: String
    }

    /// All rows, in the order in which the parts are assembled.
    package static let rows = supply + inputs + receiver

    /// Returns the value of a part.
    ///
    /// - Precondition: The part has a row.
    static func value(_ name: String) -> String {
        guard let row = rows.first(where: { $0.names.contains(name) }) else { preconditionFailure("\(name): no row") }
        return row.value
    }

    /// The table in Markdown.
    package static var table: String {
        let lines = rows.map { row in
            "| \(row.names.joined(separator: ", ")) | \(row.value) | \(row.choice) | \(row.reason) |"
        }
        return (["| part | value | what to buy | why, and source |", "| --- | --- | --- | --- |"] + lines)
            .joined(separator: "\n")
    }
}
