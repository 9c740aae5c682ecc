/// The smallest and the largest of the latest numbers of a sequence.
///
/// Only those are kept that may still become the smallest or the largest when older ones have left: each comes and
/// leaves once, so that a number costs the same however many are held.
struct SlidingBounds: Sendable {
    private struct Entry: Sendable {
        let serial: Int
        let number: Double
    }

    /// Rising from the smallest, and falling from the largest.
    private var smallest = Queue<Entry>()
    private var largest = Queue<Entry>()
    private var oldest = 0
    private var next = 0

    /// From the smallest to the largest; nothing when there is no number.
    var range: ClosedRange<Double>? {
        guard let lower = smallest.first, let upper = largest.first else { return nil }
        return lower.number...upper.number
    }

    mutating func append(_ number: Double) {
        while let last = smallest.last, last.number >= number { smallest.removeLast() }
        while let last = largest.last, last.number <= number { largest.removeLast() }
        smallest.append(Entry(serial: next, number: number))
        largest.append(Entry(serial: next, number: number))
        next += 1
    }

    mutating func removeFirst() {
        guard oldest < next else { return }
        if smallest.first?.serial == oldest { smallest.removeFirst() }
        if largest.first?.serial == oldest { largest.removeFirst() }
        oldest += 1
    }
}
