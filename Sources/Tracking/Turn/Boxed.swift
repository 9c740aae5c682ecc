/// A large value on the heap; an assignment copies only a reference, and a change in place copies the value only if
/// another copy shares the storage. The storage is an array of one element, because the standard library then
/// implements copy-on-write.
struct Boxed<Value: Sendable>: Sendable {
    private var storage: [Value]

    init(_ value: Value) { storage = [value] }

    private init(storage: [Value]) { self.storage = storage }

    /// Takes the place of a box during a change of its value, so that the change copies nothing.
    static var vacant: Self { Self(storage: []) }

    var value: Value {
        _read { yield storage[0] }
        _modify { yield &storage[0] }
    }
}

extension Boxed: Equatable where Value: Equatable {}
extension Boxed: Hashable where Value: Hashable {}

/// A field that keeps a large structure in memory: the compiler passes the structure's address, instead of copying the
/// structure and counting a reference for each string and array. Every structure that contains this field is kept in
/// memory too. The compiler cannot know the layout of an existential, so it loads no value that contains one into registers.
struct KeptInMemory: Sendable {
    private let unknown: (any Sendable)? = nil
}
