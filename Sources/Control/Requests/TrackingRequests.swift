import Compatibility
package import Tracking
import TrackingOptions

package struct StartTrackingRequest: ControlRequest {
    package static let optionsKey = ControlKey("options", "an object with the keys of the section `tracking`")
    package static let nameKey = ControlKey("name", "a name for these options")
    package static let permission: RemotePermission? = .silence
    package static let manual = ControlManual(
        "tracking start", "Switches tracking on, with the configured options or with the options in a file.",
        keys: [optionsKey, nameKey], command: "`trackerd tracking start --options FILE`")

    /// The layer that replaces the profile and the file's options; nil if profile and file apply.
    let layer: OptionLayer?

    package init?(_ reader: inout RequestReader) {
        let name = reader.text(Self.nameKey) ?? Self.manual.name
        guard let entries = reader.object(Self.optionsKey) else {
            layer = nil
            return
        }
        let reading = OptionReader.read(entries, path: Self.optionsKey.name) { _ in name }
        for problem in reading.problems { reader.note(problem.text) }
        layer = .custom(reading, name: name)
    }

    package func run(in session: any Session) -> ControlOutcome? {
        let change = session.handle(.options(.custom, layer.map { [$0] } ?? []), .command(.tracking(isOn: true)))
        let options = layer == nil ? "with the configured options" : "with the options of this command"
        let end = change.after.suspension == nil ? "" : ", but pauses until the schedule allows it"
        return change.outcome("Tracking is on, \(options)\(end).")
    }
}

package struct StopTrackingRequest: KeylessRequest {
    package static let permission: RemotePermission? = .silence
    package static let manual = ControlManual(
        "tracking stop", "Switches tracking off until `tracking start`, even after a restart; discards custom options.",
        command: "`trackerd tracking stop`")

    package func run(in session: any Session) -> ControlOutcome? {
        let change = session.handle(.command(.tracking(isOn: false)), .options(.custom, []))
        return change.outcome("Tracking is off until `trackerd tracking start`.")
    }
}

package struct ShowTrackingRequest: KeylessRequest {
    package static let isReading = true
    package static let manual = ControlManual(
        "tracking show", "Shows the state of tracking, the custom options, and the values that override these options.",
        command: "`trackerd tracking show`",
        response:
            "`tracking`; with custom options also their `name` and `options`, the `profile` below them, and in `overridden` the values that override them, each with its origin"
    )

    package func run(in session: any Session) -> ControlTracking? { ControlTracking(session.engine) }
}

package struct ControlTracking: Codable, Sendable, Hashable {
    package let tracking: String
    package let name: String?
    /// The custom options in the notation of a file.
    package let options: [String: String]?
    /// The name of the profile that sets the options missing from the custom options.
    package let profile: String?
    /// The values that override custom options, with their origins.
    package let overridden: [String: String]?

    fileprivate init(_ engine: EngineStatus) {
        tracking = engine.suspension.title
        name = engine.customOptions?.name
        profile = engine.customOptions?.profileName
        options = engine.customOptions.map { layer in
            Dictionary(layer.given.map { ($0.key, $0.value.description) }) { $1 }
        }
        let resolved = engine.resolvedOptions
        let others = (engine.customOptions?.given ?? []).compactMap { resolved.item($0.key) }
            .filter { $0.origin != .custom }.map(ControlOption.init)
        overridden = others.isEmpty ? nil : Dictionary(others.map { ($0.key, "\($0.text) (\($0.comment))") }) { $1 }
    }
}

package struct ResetTrackingRequest: KeylessRequest {
    package static let manual = ControlManual(
        "tracking reset", "Removes the custom options and the mode, so that the configuration file applies again.",
        command: "`trackerd tracking reset`")

    package func run(in session: any Session) -> ControlOutcome? {
        let change = session.handle(.options(.custom, []), .options(.mode, []))
        var sentences = ["The options of the configuration file apply."]
        if change.after.hasRemoteOptions {
            sentences.append("Options that a server sent still override these options.")
        }
        if change.after.suspension == .switchedOff {
            sentences.append("Tracking is still off. Run `trackerd tracking start` to switch it on.")
        }
        return change.outcome(sentences.joined(separator: " "))
    }
}
