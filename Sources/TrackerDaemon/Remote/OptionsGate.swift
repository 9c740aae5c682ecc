import Compatibility
import Tracking
import TrackingOptions
import Upload

/// Decides which of the options of a server apply.
///
/// The gate compares the options with the floor for trips and for the time between trips, and also as if the owner had
/// ended the present monitoring mode, because the options remain after that.
struct OptionsGate {
    private let engine: Engine
    private let control: RemoteControl
    private let maySilence: Bool

    /// Makes a gate for the options of a target's server.
    init(_ engine: Engine, _ control: RemoteControl, target: String) {
        (self.engine, self.control) = (engine, control)
        maySilence = control.permits(.silence, to: target)
    }

    /// The options that apply.
    struct Admission {
        /// The layers.
        var layers: [OptionLayer]
        /// The keys of options for which the owner's values remain in force, in the order of the table.
        var kept: [String]
    }

    /// Returns the layers without the values of profiles and presets that the server may not set.
    ///
    /// Throws if the server may not set a value that the order names.
    func admit(_ layers: [OptionLayer]) throws(ControlError) -> Admission {
        var admission = Admission(layers: layers, kept: [])
        while let (keys, isForbidden, isOnTrip) = fault(in: admission.layers) {
            // The owner's values of the other options may be enough, so the order is at fault only if none of them is left.
            let removed = keys.filter { Self.removeUnnamed($0, from: &admission.layers, isOnTrip: isOnTrip) }
            if removed.isEmpty, let key = keys.first {
                throw isForbidden ? Self.forbidden(key) : Self.silencing(key)
            }
            admission.kept += removed.filter { !admission.kept.contains($0) }
        }
        admission.kept = TrackingOption.all.map(\.key).filter(admission.kept.contains)
        return admission
    }

    /// Returns the first options that a server may not change so; nil if there are none.
    private func fault(in layers: [OptionLayer]) -> (keys: [String], isForbidden: Bool, isOnTrip: Bool)? {
        for base in bases {
            for isOnTrip in [false, true] {
                var (owned, changed) = (base, base)
                owned.replace(.remote, with: [])
                changed.replace(.remote, with: layers)
                let check = FloorCheck(
                    before: engine.options(of: base, isOnTrip: isOnTrip),
                    owned: engine.options(of: owned, isOnTrip: isOnTrip), limits: control.limits)
                let after = engine.options(of: changed, isOnTrip: isOnTrip)
                let forbidden = check.forbiddenKeys(in: after)
                if !forbidden.isEmpty { return (forbidden, true, isOnTrip) }
                let silencing = maySilence ? [] : check.silencingKeys(in: after)
                if !silencing.isEmpty { return (silencing, false, isOnTrip) }
            }
        }
        return nil
    }

    /// The layers without those that may end at any time: the one that saves power, and that of a mode.
    private var bases: [OptionLayers] {
        var present = engine.optionLayers
        present.replace(.supply, with: [])
        var configured = present
        configured.replace(.mode, with: [])
        return configured == present ? [present] : [present, configured]
    }

    /// Removes an option from the layers if only a profile or a preset sets it; returns false if the order names the option.
    private static func removeUnnamed(_ key: String, from layers: inout [OptionLayer], isOnTrip: Bool) -> Bool {
        var isRemoved = false
        for (index, layer) in layers.enumerated() where layer.onTrip == nil || layer.onTrip == isOnTrip {
            let values = layer.assignments.filter { $0.key == key }
            guard values.allSatisfy(\.isOfProfile) else { return false }
            isRemoved = isRemoved || !values.isEmpty
            layers[index] = OptionLayer(
                layer.origin, name: layer.name, onTrip: layer.onTrip, layer.assignments.filter { $0.key != key })
        }
        return isRemoved
    }

    private static func forbidden(_ key: String) -> ControlError {
        ControlError("no server may change `\(key)`. Change it in the configuration file.")
    }

    private static func silencing(_ key: String) -> ControlError {
        ControlError(
            "this value of `\(key)` would silence the tracker. Add `silence` to the target's `control`, or send another value."
        )
    }
}
