/// A large value on the heap; an assignment copies only a reference, and a change in place copies the value only if
/// another copy shares the storage. The storage is an array of one element, because the standard library then
/// implements copy-on-write.
struct Boxed<Value: Sendable>: Sendable {
    private var storage: [Value]

    init(_ value: Value) { storage = [value] }

    private init(storage: [Value]) { self.storage = storage }

    /// An empty box to leave behind while its owner changes the value, which the owner would otherwise copy.
    static var vacant: Self { Self(storage: []) }

    var value: Value {
        _read { yield storage[0] }
        _modify { yield &storage[0] }
    }
}

extension Boxed: Equatable where Value: Equatable {}
extension Boxed: Hashable where Value: Hashable {}

/// A field that keeps a large structure in memory: the compiler then passes its address, where it would otherwise copy
/// the structure, with a reference count for each string and array in it. Every structure that contains this field is kept in
/// memory too. The compiler cannot know the layout of an existential, so it loads no value that contains one into registers.
struct KeptInMemory: Sendable {
    private let unknown: (any Sendable)? = nil
}
