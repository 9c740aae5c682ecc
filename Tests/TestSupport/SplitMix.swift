/// A pseudo-random generator with the same sequence in every run (SplitMix64 by Steele, Lea and Flood).
package struct SplitMix: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    package mutating func uniform(_ range: ClosedRange<Double>) -> Double {
        range.lowerBound + Double(next() >> 11) * 0x1p-53 * (range.upperBound - range.lowerBound)
    }

    /// Returns a nearly normally distributed number with mean zero and standard deviation one; its magnitude never exceeds 3.5.
    ///
    /// The number is the sum of four uniform numbers of 16 bits with a variance of 1/12 each. This is fast, and near enough to a
    /// normal distribution for noise.
    package mutating func normal() -> Double {
        let bits = next()
        let sum = (bits & 0xffff) + (bits >> 16 & 0xffff) + (bits >> 32 & 0xffff) + bits >> 48
        return (Double(sum) * 0x1p-16 - 2) * Self.rootOfThree
    }

    /// The list must not be empty.
    package mutating func pick<Value>(_ values: [Value]) -> Value { values[Int(next() % UInt64(values.count))] }

    /// Returns whether an event with a probability of one in `times` happens.
    package mutating func once(in times: UInt64) -> Bool { next() % times == 0 }

    private static let rootOfThree = 1.732_050_807_568_877
}
