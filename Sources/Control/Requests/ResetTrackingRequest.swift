import Tracking
import TrackingOptions

package struct ResetTrackingRequest: ControlRequest {
    package static let manual = ControlManual(
        "tracking reset", "Removes the custom options and the mode, so that the configuration file applies again.",
        command: "`trackerd tracking reset`")

    package init?(_ reader: inout RequestReader) {}

    package func run(in session: any Session) -> ControlOutcome? {
        let change = session.handle(.options(.custom, []), .options(.mode, []))
        var sentences = ["The options of the configuration file apply."]
        if change.after.hasRemoteOptions {
            sentences.append("Options that a server sent still override these options.")
        }
        if change.after.suspension == .switchedOff {
            sentences.append("Tracking is still off. Run `trackerd tracking start` to switch tracking on.")
        }
        return change.outcome(sentences.joined(separator: " "))
    }
}
