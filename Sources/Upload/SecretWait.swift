internal import Glibc
internal import Quantities

/// Waits for the files of a `MissingSecret`, with growing pauses.
struct SecretWait {
    private static let shortest = Duration.seconds(5)
    private static let longest = Duration.seconds(300)

    let missing: MissingSecret
    private var pause = Self.shortest
    /// When to try again; nil if only another configuration can help.
    private(set) var due: Instant?

    init(for missing: MissingSecret, at now: Instant) {
        self.missing = missing
        due = missing.files == nil ? nil : now + Self.shortest
    }

    /// Returns the complete target if its secrets can be read; tries only if a time has come, or if `isAsked` is true.
    mutating func retry(at now: Instant, isAsked: Bool) -> UploadTarget? {
        guard let files = missing.files, let due, isAsked || now >= due else { return nil }
        if files.allSatisfy({ access($0, R_OK) == 0 }), let target = missing.retry() { return target }
        pause = isAsked ? Self.shortest : min(pause * 2, Self.longest)
        self.due = now + pause
        return nil
    }
}
