/// Values that leave in the order in which they came, except that the last one may be taken back.
///
/// Each operation costs the same however many values there are, on average.
struct Queue<Element: Sendable>: Sendable {
    private var storage: [Element] = []
    private var head = 0

    var count: Int { storage.count - head }
    var first: Element? { head < storage.count ? storage[head] : nil }
    var second: Element? { head + 1 < storage.count ? storage[head + 1] : nil }
    var last: Element? { head < storage.count ? storage.last : nil }
    /// All of them, first come first.
    var elements: [Element] { Array(storage[head...]) }

    mutating func append(_ element: Element) { storage.append(element) }

    mutating func removeFirst() {
        guard head < storage.count else { return }
        head += 1
        // Half of the storage is left over: each value is moved once for each that has left.
        guard head * 2 >= storage.count else { return }
        storage.removeFirst(head)
        head = 0
    }

    mutating func removeLast() {
        guard head < storage.count else { return }
        storage.removeLast()
    }
}
