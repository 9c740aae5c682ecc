import Compatibility
package import Tracking
import TrackingOptions

/// By environment, operating system and trip status; only servers send it. The options go again unless the server receives a
/// record with a position within 15 minutes.
package struct RemoteOptionsRequest: ControlRequest {
    static let optionsKey = ControlKey(
        "options", "an object with the keys of the section `tracking`; an empty object removes the server's options")
    static let mergeKey = ControlKey(
        "merge", "true: only the keys in `options` change, and the server's earlier options remain")
    package static let permission: RemotePermission? = .options
    package static let manual = ControlManual(
        "options",
        "Uses tracking options of the server; withdraws them unless the server receives a record within 15 minutes.",
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
        let kept = try OptionsGate(session.engine, target: target).keptKeys(with: layers, of: order)
        let change = session.handle(.remoteOptions(layers, target: target))
        let keys = change.records.flatMap { stored in
            if case .optionschange(let change) = stored.record.content { change.keys } else { [] as [String] }
        }
        var sentences = [keys.isEmpty ? "No option has changed." : "Changed: \(keys.joined(separator: ", "))."]
        if !kept.isEmpty {
            sentences.append("The owner's values remain for: \(kept.joined(separator: ", ")).")
        }
        if keys.isEmpty { sentences += notes.prefix(Self.mostNotes) }
        return change.outcome(sentences.joined(separator: " "))
    }

    private static let mostNotes = 3

    /// Those in force then, those of the order itself, and notes about keys without effect.
    private func layers(
        over present: OptionLayers, _ environment: RemoteOptions.Environment
    ) throws(ControlError) -> (layers: [OptionLayer], order: [OptionLayer], notes: [String]) {
        do throws(RemoteOptionsError) {
            let base = isMerging ? OptionBase(present) : nil
            let options = try RemoteOptions.read(document, over: base)
            let order = options.layers(environment)
            guard let base else { return (order, order, []) }
            return (options.merged(over: base, environment), order, options.notes.map(\.text))
        } catch {
            throw ControlError(error.description)
        }
    }
}
