/// The five fields of a crontab line: minutes, hours, days of the month, months, days of the week.
package struct Crontab: Sendable, Hashable {
    /// As it was written.
    package let text: String

    /// Reads the fields; nothing when they are wrong.
    package init?(_ text: String) { self.text = text }
}
