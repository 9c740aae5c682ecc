/// A large value on the heap; copies share the storage until one of them changes.
///
/// An assignment copies only a reference. A change in place copies the value only if another copy shares the storage.
/// The storage is an array of one element, because the standard library then implements copy-on-write.
struct Boxed<Value: Sendable>: Sendable {
    private var storage: [Value]

    init(_ value: Value) { storage = [value] }

    var value: Value {
        _read { yield storage[0] }
        _modify { yield &storage[0] }
    }
}
