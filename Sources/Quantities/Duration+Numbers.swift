extension Duration {
    /// The span as whole nanoseconds, up to 292 years; what is finer is cut off.
    public var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }

    /// The span in seconds.
    public var inSeconds: Double { Double(nanoseconds) / 1e9 }

    /// Makes a span of this many seconds, rounded to the nanosecond.
    public init(inSeconds seconds: Double) {
        self = .nanoseconds(Int64((seconds * 1e9).rounded()))
    }
}
