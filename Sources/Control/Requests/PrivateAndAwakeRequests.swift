import Quantities
package import Tracking

package struct BeginPrivacyRequest: ControlRequest {
    package static let duration = ControlKey(
        "for", "how long the period lasts, from `1s` to `365d` (by default until `private off`)")
    package static let permission: RemotePermission? = .silence
    package static let manual = ControlManual(
        "private on",
        "Begins a private period, which a restart does not end: the tracker records no position, no trip and no visit.",
        keys: [duration], command: "`trackerd private on --for 2h`")

    /// The length of the period; nil if it has no end.
    package let span: Duration?

    package init?(_ reader: inout RequestReader) {
        span = reader.duration(Self.duration, .seconds(1) ... .seconds(365 * 86_400))
    }

    /// Throws if a server would shorten a period that a command began.
    package func check(in session: any Session) throws(ControlError) {
        guard session.server != nil, session.engine.privacyOutlasts(span, at: session.now) else { return }
        throw ControlError(
            "a longer private period is already under way, and no server can shorten it. Send a longer time in `for`, or leave out `for`."
        )
    }

    package func run(in session: any Session) -> ControlOutcome? {
        let change = session.handle(.command(.privacy(isOn: true, lasting: span)))
        guard let span else { return change.outcome("Private until `trackerd private off`.") }
        return change.outcome("Private until \(session.time + span), or until `trackerd private off`.")
    }
}

/// Ends the private period that a command began; a period with another reason continues.
package struct EndPrivacyRequest: KeylessRequest {
    package static let manual = ControlManual(
        "private off", "Ends a private period that `private on` has begun.", command: "`trackerd private off`")

    package func run(in session: any Session) -> ControlOutcome? {
        let hadCommand = session.engine.privacyReasons.contains(.command)
        let change = session.handle(.command(.privacy(isOn: false)))
        guard change.after.isPrivate else { return change.outcome("The position is not private.") }
        let reasons = change.after.privacyReasons
        let start = hadCommand ? "The period begun by command has ended, but the position" : "The position"
        let remedy =
            reasons.contains(.privateSwitch) ? " Only the switch in the vehicle can end its own period." : ""
        return change.outcome("\(start) is still private: \(reasons.map(\.text).joined(separator: ", ")).\(remedy)")
    }
}

package struct StayAwakeRequest: ControlRequest {
    package static let duration = ControlKey(
        "for", "how long the board stays awake, from `1m` to `24h` (by default `2h`)")
    package static let permission: RemotePermission? = .stayAwake
    package static let manual = ControlManual(
        "awake on",
        "Keeps the board of a parked vehicle awake for some time, even after a restart; meanwhile, `haltAfter` does not halt it.",
        keys: [duration], command: "`trackerd awake on --for 4h`")

    package let span: Duration

    package init?(_ reader: inout RequestReader) {
        span = reader.duration(Self.duration, .seconds(60)...AwakePeriod.longest) ?? .seconds(7200)
    }

    package func run(in session: any Session) throws(ControlError) -> ControlOutcome? {
        try session.checkHalting()
        let change = session.handle(.command(.stayAwake(span)))
        let end = change.after.awakeUntil(at: session.now) ?? session.time + span
        return change.outcome(
            "The board stays awake until \(end), or until `trackerd awake off`. A low battery halts it earlier.")
    }
}

package struct EndAwakeRequest: KeylessRequest {
    package static let permission: RemotePermission? = .stayAwake
    package static let manual = ControlManual(
        "awake off", "Ends the period that `awake on` began: `haltAfter` halts the board of a parked vehicle again.",
        command: "`trackerd awake off`")

    package func run(in session: any Session) throws(ControlError) -> ControlOutcome? {
        try session.checkHalting()
        let wasAwake = session.engine.awakeUntil(at: session.now) != nil
        let change = session.handle(.command(.stayAwake(nil)))
        return change.outcome("\(wasAwake ? "" : "`awake on` was not in force. ")`haltAfter` halts the parked board.")
    }
}

extension Session {
    fileprivate func checkHalting() throws(ControlError) {
        guard !engine.haltsParkedBoard else { return }
        throw ControlError(
            "trackerd never halts this board when the vehicle is parked, because the board file has no `haltAfter`. The board stays awake without this request."
        )
    }
}
