extension Tracker {
    package enum Ending: Sendable, Hashable {
        /// A signal asked the program to end.
        case signal
        /// The time until which the tracker had to run is over.
        case time
        /// A request asked for a restart of the program.
        case restart
    }
}
