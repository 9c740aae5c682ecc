import Compatibility
import Tracking
import TrackingOptions
import Upload

/// `options`: use a server's tracking options, which depend on environment, operating system and trip status.
///
/// Only servers send this request. trackerd removes the options again unless the server receives a record within 15 minutes.
package struct RemoteOptionsRequest: ControlRequest {
    static let optionsKey = ControlKey(
        "options", "an object with the keys of the section `tracking`; an empty object removes the server's options")
    package static let manual = ControlManual(
        "options",
        "Uses tracking options of the server; withdraws them unless the server receives a record within 15 minutes.",
        keys: [optionsKey], command: "")

    let options: RemoteOptions

    package init?(_ reader: inout RequestReader) {
        guard let entries = reader.object(Self.optionsKey) else {
            reader.note("`options` is missing.")
            return nil
        }
        do throws(RemoteOptionsError) {
            options = try RemoteOptions.read(.mapping(entries))
        } catch {
            for problem in error.problems { reader.note(problem.text) }
            return nil
        }
    }

    package func run(in session: ControlSession) throws(ControlError) -> ControlOutcome? {
        let (remote, target) = (session.tracker.remoteControl, session.order?.target ?? "")
        let layers = options.layers(remote.environment)
        for isOnTrip in [false, true] {
            let (before, after) = session.engine.options(withRemote: layers, isOnTrip: isOnTrip)
            if let key = RemoteControl.forbiddenKey(from: before, to: after) {
                throw ControlError("no server may change `\(key)`. Change it in the configuration file.")
            }
            let owned = session.engine.options(withRemote: [], isOnTrip: isOnTrip).after
            guard let key = remote.silencingKey(from: before, to: after, owned: owned),
                !remote.permits(.silence, to: target)
            else { continue }
            throw ControlError(
                "this value of `\(key)` would silence the tracker. Add `silence` to the target's `control`, or send another value."
            )
        }
        let change = session.handle(.remoteOptions(layers, target: target))
        let keys = change.records.flatMap { stored in
            if case .optionschange(let change) = stored.record.content { change.keys } else { [] as [String] }
        }
        return change.outcome(keys.isEmpty ? "No option has changed." : "Changed: \(keys.joined(separator: ", ")).")
    }
}
