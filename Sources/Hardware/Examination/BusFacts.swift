/// What was found where the accelerometer should be.
package enum BusFacts: Sendable, Hashable {
    /// Something answers on a bus.
    package struct Answer: Sendable, Hashable {
        /// Where.
        package var address: UInt8
        /// The models that its identity register may mean; none when it means none that is known.
        package var models: [String]
        /// The driver of the kernel that has the chip, which was not asked anything then.
        package var driver: String?

        /// Describes an answer.
        package init(_ address: UInt8, _ models: String..., driver: String? = nil) {
            self.address = address
            self.models = models
            self.driver = driver
        }
    }

    /// A bus, and what answers on it.
    package struct Bus: Sendable, Hashable {
        /// Its device, such as `/dev/i2c-3`.
        package var path: String
        /// What answers, by address; nothing when the bus cannot be used.
        package var answers: [Answer]

        /// Describes a bus.
        package init(_ path: String, answers: [Answer] = []) {
            self.path = path
            self.answers = answers
        }
    }

    /// There is no such bus; these there are.
    case absent(others: [Bus])
    /// The bus may not be opened.
    case forbidden
    /// The bus cannot be used, for this reason.
    case failing(String)
    /// What answers on the bus, by address; where the model that is looked for does not, also on the other buses.
    case scanned(answers: [Answer], elsewhere: [Bus])
}
