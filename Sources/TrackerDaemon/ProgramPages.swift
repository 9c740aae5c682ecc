internal import CLinux
internal import Quantities

/// Decides when the daemon releases the pages of the program and its libraries that it has read.
///
/// The start reads most of the program: the commands, the types of all libraries, the configuration. The kernel would count
/// these pages as memory of the daemon until the board runs short of memory. After a release, only the pages in use return.
struct ProgramPages {
    /// The time from the start to the first release; by then, the first upload has normally loaded its certificates.
    static let settlingTime = Duration.seconds(60)
    /// The pause between two releases: a page returns in microseconds, so an hour makes the cost negligible.
    static let interval = Duration.seconds(3600)

    private var due: Instant

    init(start: Instant) {
        due = start + Self.settlingTime
    }

    /// Returns whether a release is due, and then plans the next one.
    ///
    /// The loop asks at its turns, so a release never wakes the board.
    mutating func isReleaseDue(at now: Instant) -> Bool {
        guard now >= due else { return false }
        due = now + Self.interval
        return true
    }

    /// Unmaps the unchanged pages.
    ///
    /// The kernel maps a page again when the program uses it.
    static func release() {
        clinux_program_pages_release()
    }
}
