/// A row of the table that the parser, the documents and the tests use.
package struct TrackingOption: Sendable {
    package typealias Place<Value> = any WritableKeyPath<TrackingOptions, Value> & Sendable

    package let key: String
    package let kind: OptionKind
    package let floor: ServerFloor
    package let text: String
    private let get: @Sendable (TrackingOptions) -> OptionValue
    private let set: @Sendable (inout TrackingOptions, OptionValue) -> Void

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

    init<Value: OptionRepresentable>(
        _ key: String, _ place: Place<Value>, floor: ServerFloor, _ text: String
    ) where Value.Bounds == Void {
        self.init(key, place, (), floor: floor, text)
    }

    package func value(in options: TrackingOptions) -> OptionValue { get(options) }

    func copy(from other: TrackingOptions, to options: inout TrackingOptions) { set(&options, get(other)) }

    package func assign(_ value: OptionValue, to options: inout TrackingOptions) -> Bool {
        guard kind.accepts(value) else { return false }
        set(&options, value)
        return true
    }
}
