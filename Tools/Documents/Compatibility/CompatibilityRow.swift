package import Tracking

/// A feature of another product, and its counterpart in trackerd.
package struct CompatibilityRow: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case option, mode, preset, callback, rule
    }

    package enum Counterpart: Sendable, Hashable {
        /// A tracking option, by its key.
        case option(String)
        case profile(String)
        case command(String)
        case section(String)
        case record(Record.Kind)
        case function(String)
        case builtIn
    }

    package let kind: Kind
    /// The feature's name in the other product; for a rule, our description.
    package let name: String
    /// The counterparts; empty if the feature has no meaning on a device in a vehicle.
    package let here: [Counterpart]
    /// The difference between the feature and its counterparts, or the reason why trackerd has no counterpart.
    package let remark: String

    static func option(_ name: String, _ here: [Counterpart], _ remark: String = "") -> CompatibilityRow {
        CompatibilityRow(kind: .option, name: name, here: here, remark: remark)
    }

    static func mode(_ name: String, _ here: [Counterpart], _ remark: String = "") -> CompatibilityRow {
        CompatibilityRow(kind: .mode, name: name, here: here, remark: remark)
    }

    /// Makes the row of a named set of options.
    static func preset(_ name: String, _ profile: String) -> CompatibilityRow {
        CompatibilityRow(kind: .preset, name: name, here: [.profile(profile)], remark: "")
    }

    /// Makes the row of a call, a property or a notification of the product's programming interface.
    static func callback(_ name: String, _ here: [Counterpart], _ remark: String = "") -> CompatibilityRow {
        CompatibilityRow(kind: .callback, name: name, here: here, remark: remark)
    }

    /// Makes the row of a behaviour, in our words; docs/compatibility.md leaves such rows out.
    static func rule(_ name: String, _ here: [Counterpart] = [.builtIn], _ remark: String = "") -> CompatibilityRow {
        CompatibilityRow(kind: .rule, name: name, here: here, remark: remark)
    }

    static func none(_ kind: Kind, _ name: String, because remark: String) -> CompatibilityRow {
        CompatibilityRow(kind: kind, name: name, here: [], remark: remark)
    }
}
