/// What was found where the accelerometer should be.
package enum BusFacts: Sendable, Hashable {
    /// Something answers on the bus.
    package struct Answer: Sendable, Hashable {
        /// Where.
        package var address: UInt8
        /// The model that its identity register names; nothing when it names none that is known.
        package var model: String?

        /// Describes an answer.
        package init(_ address: UInt8, _ model: String? = nil) {
            self.address = address
            self.model = model
        }
    }

    /// There is no such bus; these there are.
    case absent(others: [String])
    /// The bus may not be opened.
    case forbidden
    /// The bus cannot be used, for this reason.
    case failing(String)
    /// What answers on the bus, by address, and the other buses on which the model that is looked for does.
    case scanned(answers: [Answer], elsewhere: [String])
}
