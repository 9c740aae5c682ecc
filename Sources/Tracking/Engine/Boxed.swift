/// A large value on the heap, shared until it changes.
///
/// Handing it on costs a reference instead of a copy, and changing it in place costs nothing. It is an array of one, so that
/// the standard library does the copying on write.
struct Boxed<Value: Sendable>: Sendable {
    private var storage: [Value]

    /// Puts a value on the heap.
    init(_ value: Value) { storage = [value] }

    /// The value.
    var value: Value {
        _read { yield storage[0] }
        _modify { yield &storage[0] }
    }
}
