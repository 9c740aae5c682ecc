import Quantities
package import Tracking

package struct StayAwakeRequest: ControlRequest {
    package static let duration = ControlKey(
        "for", "how long trackerd does not halt the board, from `1m` to `24h`, such as `4h` (by default `2h`)")
    package static let permission: RemotePermission? = .stayAwake
    package static let manual = ControlManual(
        "awake on",
        "Keeps the board of a parked vehicle awake for some time, even after a restart: until then, `haltAfter` does not halt it.",
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

package struct EndAwakeRequest: ControlRequest {
    package static let permission: RemotePermission? = .stayAwake
    package static let manual = ControlManual(
        "awake off", "Ends the time of `awake on`: `haltAfter` halts the board of a parked vehicle again.",
        command: "`trackerd awake off`")

    package init?(_ reader: inout RequestReader) {}

    package func run(in session: any Session) throws(ControlError) -> ControlOutcome? {
        try session.checkHalting()
        let wasAwake = session.engine.awakeUntil(at: session.now) != nil
        let change = session.handle(.command(.stayAwake(nil)))
        return change.outcome("\(wasAwake ? "" : "`awake on` was not in force. ")`haltAfter` halts the parked board.")
    }
}

extension Session {
    /// Throws if a parked board is never halted.
    fileprivate func checkHalting() throws(ControlError) {
        guard !engine.haltsParkedBoard else { return }
        throw ControlError(
            "trackerd never halts this board when the vehicle is parked, because the board file has no `haltAfter`. The board stays awake without this request."
        )
    }
}
