/// What the engine decided, and on which evidence, in words that an owner understands.
package struct Decision: Sendable, Hashable, Codable {
    /// What it is about.
    package enum Subject: String, Sendable, Codable {
        /// The vehicle has started, or not.
        case start
        /// The vehicle has stopped, or not.
        case stop
        /// The receiver is switched.
        case receiver
        /// A sensor has come or gone.
        case sensor
        /// A beacon was heard.
        case beacon
        /// Somebody asked for something.
        case request
        /// A region was set, or not.
        case region
        /// The schedule opened or closed.
        case schedule
        /// The mode or the options changed.
        case options
        /// The supply, or the board's own power.
        case power
    }

    /// What it is about.
    package let subject: Subject
    /// One sentence.
    package let text: String

    /// Makes a decision.
    package init(_ subject: Subject, _ text: String) {
        self.subject = subject
        self.text = text
    }
}
