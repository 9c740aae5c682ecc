/// One tracking option: a row of the table that the parser, the documents and the tests are made from.
package struct TrackingOption: Sendable {
    /// The property of the options that has the value.
    package typealias Place<Value> = any WritableKeyPath<TrackingOptions, Value> & Sendable

    /// The option's key in the configuration.
    package let key: String
    /// The kind of its value, and its bounds.
    package let kind: OptionKind
    /// What the option does, in one sentence.
    package let text: String
    /// Whether a value of 0 is accepted and ignored: for Radar, a bubble without a radius keeps the default radius.
    package let isUntouchedByZero: Bool
    private let get: @Sendable (TrackingOptions) -> OptionValue
    private let set: @Sendable (inout TrackingOptions, OptionValue) -> Void

    /// Makes a row for the property at `place`.
    init<Value: OptionRepresentable>(
        _ key: String, _ place: Place<Value>, _ bounds: Value.Bounds, _ text: String, isUntouchedByZero: Bool = false
    ) {
        self.key = key
        kind = Value.kind(bounds)
        self.text = text
        self.isUntouchedByZero = isUntouchedByZero
        get = { $0[keyPath: place].optionValue }
        set = { options, value in if let own = Value(value) { options[keyPath: place] = own } }
    }

    /// Makes a row for a property whose type needs no bounds.
    init<Value: OptionRepresentable>(_ key: String, _ place: Place<Value>, _ text: String) where Value.Bounds == Void {
        self.init(key, place, (), text)
    }

    /// The option's value in `options`.
    package func value(in options: TrackingOptions) -> OptionValue { get(options) }

    /// Sets the option in `options`; false if the value is out of bounds, or a 0 that is ignored.
    package func assign(_ value: OptionValue, to options: inout TrackingOptions) -> Bool {
        guard kind.accepts(value) else { return false }
        set(&options, value)
        return true
    }

    /// Whether the value may be written: within bounds, or a 0 that is ignored.
    package func accepts(_ value: OptionValue) -> Bool {
        kind.accepts(value) || (isUntouchedByZero && value.isZero)
    }
}
