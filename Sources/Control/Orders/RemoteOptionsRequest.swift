import Compatibility
package import Tracking
import TrackingOptions

/// A server's tracking options, by environment, operating system and trip status; only servers send them. They end
/// unless a record, with a position if one can be expected, reaches the server within 15 minutes.
package struct RemoteOptionsRequest: ControlRequest {
    static let optionsKey = ControlKey(
        "options", "an object with the keys of the section `tracking`; an empty object removes the server's options")
    static let mergeKey = ControlKey(
        "merge", "true: only the keys in `options` change, and the server's earlier options remain")
    package static let permission: RemotePermission? = .options
    package static let manual = ControlManual(
        "options",
        "Applies the server's tracking options; withdraws them if the server receives no record within 15 minutes.",
        keys: [optionsKey, mergeKey], command: "")

    private let document: OptionTree
    private let isMerging: Bool

    package init?(_ reader: inout RequestReader) {
        isMerging = reader.flag(Self.mergeKey) ?? false
        guard let entries = reader.object(Self.optionsKey) else {
            reader.note("`options` is missing.")
            return nil
        }
        document = .mapping(entries)
        do throws(RemoteOptionsError) {
            _ = try RemoteOptions.read(document)
        } catch {
            for problem in error.problems { reader.note(problem.text) }
            return nil
        }
    }

    package func run(in session: any Session) throws(ControlError) -> ControlOutcome? {
        let target = session.server ?? ""
        let (layers, order, notes) = try layers(over: session.engine.optionLayers, session.environment)
        let kept = try session.engine.keptKeys(with: layers.map { $0.named(target) }, of: order)
        let change = session.handle(.remoteOptions(layers, target: target))
        let keys = change.records.flatMap { stored in
            if case .optionschange(let change) = stored.record.content { change.keys } else { [] as [String] }
        }
        var sentences = [keys.isEmpty ? "No option has changed." : "Changed: \(keys.joined(separator: ", "))."]
        if !kept.isEmpty {
            sentences.append("The owner's values of \(kept.joined(separator: ", ")) remain in force.")
        }
        if keys.isEmpty { sentences += notes.prefix(Self.mostNotes) }
        return change.outcome(sentences.joined(separator: " "))
    }

    private static let mostNotes = 3

    /// Returns the layers that would be in force, those of the order itself, and notes about keys without effect.
    private func layers(
        over present: OptionLayers, _ environment: RemoteOptions.Environment
    ) throws(ControlError) -> (layers: [OptionLayer], order: [OptionLayer], notes: [String]) {
        do throws(RemoteOptionsError) {
            let base = isMerging ? OptionBase(present) : nil
            let options = try RemoteOptions.read(document, over: base)
            let order = try options.layersForThisTracker(environment)
            guard let base else { return (order, order, []) }
            return (options.merged(over: base, environment), order, options.notes.map(\.text))
        } catch {
            throw ControlError(error.description)
        }
    }
}

extension EngineStatus {
    /// Returns the keys of the options that stay the owner's, in the order of the table. Throws if the order itself names a
    /// value that the server has no permission to set; the engine would not apply it anyway. A key counts if the owner's value
    /// stays on trips, between trips, or once the owner ends the present monitoring mode, which the options outlast.
    fileprivate func keptKeys(with layers: [OptionLayer], of order: [OptionLayer]) throws(ControlError) -> [String] {
        let named = Set(order.flatMap(\.assignments).filter { !$0.isOfProfile }.map(\.key))
        var kept: Set<String> = []
        for base in bases {
            var changed = base
            changed.replace(.remote, with: layers)
            for isOnTrip in [false, true] {
                let withheld = self.withheld(in: changed, isOnTrip: isOnTrip)
                if let value = withheld.first(where: { !$0.isOfProfile && named.contains($0.key) }) {
                    throw Self.error(for: value.key)
                }
                kept.formUnion(withheld.map(\.key))
            }
        }
        return TrackingOption.all.map(\.key).filter(kept.contains)
    }

    /// The present layers without those for a low battery, once with the mode and once without it, because the low battery and
    /// the mode may end at any time.
    private var bases: [OptionLayers] {
        var present = optionLayers
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
