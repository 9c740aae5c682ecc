package import Tracking
import TrackingOptions

package struct LocateRequest: ControlRequest {
    package static let actionType = ControlKey(
        "actionType", "what led to the request, in your own words")
    package static let actionLog = ControlKey("actionLog", "what happened")
    package static let actionID = ControlKey("actionId", "the ID of that event")
    package static let actionDuration = ControlKey(
        "actionDuration", "the duration of that event")
    package static let additionalLog = ControlKey("additionalLog", "further notes")
    package static let permission: RemotePermission? = .locate
    package static let manual = ControlManual(
        "locate", "Switches the receiver on, waits for a fix, and then records and prints the fix.",
        keys: [actionType, actionLog, actionID, actionDuration, additionalLog], command: "`trackerd locate`",
        response: "the record of a new fix; `ok` is false if there was none within `fixTimeout`")

    let action: ActionParameters

    package init?(_ reader: inout RequestReader) {
        action = ActionParameters(
            actionType: reader.text(Self.actionType), actionLog: reader.longText(Self.actionLog),
            actionId: reader.text(Self.actionID), actionDuration: reader.text(Self.actionDuration),
            additionalLog: reader.longText(Self.additionalLog))
    }

    package func run(in session: any Session) throws(ControlError) -> ControlLocation? {
        try session.checkPrivacy("does not locate the vehicle")
        let isRemote = session.server != nil
        if isRemote, !session.engine.mode.recordsUnasked {
            throw ControlError(
                "in the mode \(session.engine.mode.name), the tracker ignores this request from a server.")
        }
        try session.answerLater(with: .location(action))
        _ = session.handle(.command(.locate(LocationRequest(action: action, isRemote: isRemote))))
        return nil
    }
}

package struct ControlLocation: Codable, Sendable, Hashable {
    package let record: ControlRecord
    package let on_disk: Bool
    /// The time from the request to the answer.
    package let took_s: Double
    package let action: ActionParameters

    init(_ stored: StoredRecord, _ answer: RequestAnswer, isOnDisk: Bool) {
        record = ControlRecord(stored)
        on_disk = isOnDisk
        took_s = answer.took.tenths
        action = answer.action ?? ActionParameters()
    }
}
