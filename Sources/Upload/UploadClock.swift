package import Quantities

/// The clocks that the uploader reads.
package struct UploadClock: Sendable {
    /// Time since boot.
    package let now: @Sendable () -> Instant
    /// UTC as the system believes it.
    package let utc: @Sendable () -> Timestamp

    /// Names the clocks.
    package init(now: @escaping @Sendable () -> Instant, utc: @escaping @Sendable () -> Timestamp) {
        self.now = now
        self.utc = utc
    }
}
