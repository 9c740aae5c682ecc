import Compatibility
import Tracking
import TrackingOptions

/// Decides whether a server's order of options is accepted.
///
/// The engine applies no value that the server may not set, whatever layers are in force. The gate asks the engine in advance,
/// for trips and for the time between trips, and also as if the owner had ended the present monitoring mode, because the
/// options remain after that.
struct OptionsGate {
    private let engine: EngineStatus
    private let target: String

    init(_ engine: EngineStatus, target: String) { (self.engine, self.target) = (engine, target) }

    /// Those that stay the owner's, in the order of the table. Throws if the order itself names a value that the server may not
    /// set.
    func keptKeys(with layers: [OptionLayer], of order: [OptionLayer]) throws(ControlError) -> [String] {
        let named = Set(order.flatMap(\.assignments).filter { !$0.isOfProfile }.map(\.key))
        var kept: Set<String> = []
        for base in bases {
            var changed = base
            changed.replace(.remote, with: layers.map { $0.named(target) })
            for isOnTrip in [false, true] {
                let withheld = engine.withheld(in: changed, isOnTrip: isOnTrip)
                if let value = withheld.first(where: { !$0.isOfProfile && named.contains($0.key) }) {
                    throw Self.error(for: value.key)
                }
                kept.formUnion(withheld.map(\.key))
            }
        }
        return TrackingOption.all.map(\.key).filter(kept.contains)
    }

    /// Without those that may end at any time: saving power, and a mode.
    private var bases: [OptionLayers] {
        var present = engine.optionLayers
        present.replace(.supply, with: [])
        var configured = present
        configured.replace(.mode, with: [])
        return configured == present ? [present] : [present, configured]
    }

    private static func error(for key: String) -> ControlError {
        guard TrackingOption.named(key)?.floor != .forbidden else {
            return ControlError("no server may change `\(key)`. Change it in the configuration file.")
        }
        return ControlError(
            "this value of `\(key)` would silence the tracker. Add `silence` to the target's `control`, or send another value."
        )
    }
}
