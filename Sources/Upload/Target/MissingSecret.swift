internal import Glibc
internal import Quantities

/// Secrets or certificates of a target that trackerd cannot read; the target waits until it can.
package struct MissingSecret: Sendable {
    /// What is missing, as a clause.
    package let reason: String
    /// The files to read; nil if something is missing that cannot appear while the program runs, such as a variable.
    package let files: [String]?
    /// Reads the target again; returns nil if a secret is still missing.
    package var retry: @Sendable () -> UploadTarget?

    /// Describes what is missing.
    package init(
        reason: String, files: [String]?, retry: @escaping @Sendable () -> UploadTarget? = { nil }
    ) {
        (self.reason, self.files, self.retry) = (reason, files, retry)
    }
}

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
