/// Numbers that look random and are the same for the same seed (SplitMix64).
///
/// Pauses are spread with them, so that a fleet does not come back to its server all at once.
package struct Jitter: Sendable, Hashable {
    private var state: UInt64

    /// Starts a sequence.
    package init(seed: UInt64) { state = seed }

    /// The next number, 0 ..< 1.
    package mutating func next() -> Double {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Double((mixed ^ (mixed >> 31)) >> 11) / Double(1 << 53)
    }
}
