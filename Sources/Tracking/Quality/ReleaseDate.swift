package import Quantities

/// The dates before which no fix can have been taken.
///
/// A receiver that has lost count of the weeks reports dates 1024 weeks too early; what is older than the program itself
/// gives it away (GPS interface specification IS-GPS-200, 20.3.3.3.1.1: the week number has 10 bits).
package enum ReleaseDate {
    /// For recordings: receivers without an almanac, and boards without a clock, report dates long past.
    package static let earliest = Timestamp(year: 2020, month: 1, day: 1)
    /// For a receiver in the vehicle: this version was not written before.
    package static let current = Timestamp(year: 2026, month: 1, day: 1)
}
