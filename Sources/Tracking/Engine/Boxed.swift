/// A large value on the heap; copies share the storage until one of them changes.
///
/// An assignment copies only a reference, and a change in place copies nothing. The storage is an array of one element,
/// so that the standard library implements copy-on-write.
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
