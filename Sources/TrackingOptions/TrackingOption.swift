/// One tracking option: a row of the table that the parser, the documents and the tests use.
package struct TrackingOption: Sendable {
    /// The property of `TrackingOptions` that stores the value.
    package typealias Place<Value> = any WritableKeyPath<TrackingOptions, Value> & Sendable

    /// The option's key in the configuration.
    package let key: String
    /// The kind of the option's value, and the bounds of the value.
    package let kind: OptionKind
    /// How far a server without the permission `silence` may change the option.
    package let floor: ServerFloor
    /// What the option does, in one sentence.
    package let text: String
    private let get: @Sendable (TrackingOptions) -> OptionValue
    private let set: @Sendable (inout TrackingOptions, OptionValue) -> Void

    /// Makes a row for the property at `place`.
    init<Value: OptionRepresentable>(
        _ key: String, _ place: Place<Value>, _ bounds: Value.Bounds, floor: ServerFloor, _ text: String
    ) {
        self.key = key
        kind = Value.kind(bounds)
        self.floor = floor
        self.text = text
        get = { $0[keyPath: place].optionValue }
        set = { options, value in if let own = Value(value) { options[keyPath: place] = own } }
    }

    /// Makes a row for a property whose type needs no bounds.
    init<Value: OptionRepresentable>(
        _ key: String, _ place: Place<Value>, floor: ServerFloor, _ text: String
    ) where Value.Bounds == Void {
        self.init(key, place, (), floor: floor, text)
    }

    /// Returns the option's value in `options`.
    package func value(in options: TrackingOptions) -> OptionValue { get(options) }

    /// Sets the option in `options` to its value in other options.
    func copy(from other: TrackingOptions, to options: inout TrackingOptions) { set(&options, get(other)) }

    /// Sets the option in `options`; returns false if the value is of another kind or out of bounds.
    package func assign(_ value: OptionValue, to options: inout TrackingOptions) -> Bool {
        guard kind.accepts(value) else { return false }
        set(&options, value)
        return true
    }
}
