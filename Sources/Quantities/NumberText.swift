/// Numbers as people write them.
package enum NumberText {
    /// Writes a number, without a fraction where it has none.
    package static func write(_ number: Double) -> String {
        number == number.rounded() && number.magnitude < 1e15 ? "\(Int(number))" : "\(number)"
    }
}
