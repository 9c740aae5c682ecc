/// A setting of the system that draws less while the vehicle is parked: a file, what to write, and what was there before.
package struct RestSetting: Sendable, Hashable {
    /// The file, below `/sys`.
    package var path: String
    /// What to write while parked; what the file held before is written back when the vehicle moves.
    package var value: String

    /// Makes a setting.
    package init(path: String, value: String) {
        self.path = path
        self.value = value
    }
}
