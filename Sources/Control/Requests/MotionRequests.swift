package import Tracking
package import TrackingOptions

package struct MoveRequest: KeylessRequest {
    package static let permission: RemotePermission? = .move
    package static let manual = ControlManual(
        "move", "Marks the vehicle as moving; the stop rules apply from then on.", command: "`trackerd move`")

    package func run(in session: any Session) throws(ControlError) -> ControlOutcome? {
        let change = session.handle(.command(.move))
        if let suspension = change.after.suspension { throw suspension.error }
        return change.outcome(change.before.state.isMoving ? "The vehicle was moving already." : "Moving.")
    }
}

package struct StayRequest: KeylessRequest {
    package static let permission: RemotePermission? = .move
    package static let manual = ControlManual(
        "stay", "Marks the vehicle as parked; the departure rules apply from then on.", command: "`trackerd stay`")

    package func run(in session: any Session) -> ControlOutcome? {
        let change = session.handle(.command(.stay))
        return change.outcome(change.before.state.isMoving ? "Parked." : "The vehicle was parked already.")
    }
}

package struct ModeRequest: ControlRequest {
    package static let modeKey = ControlKey(
        "mode",
        "`quiet`, `manual`, `significant` or `move`, or its number from -1 to 2; `default` restores the profile"
    )
    private static let configured = "default"
    package static let permission: RemotePermission? = .mode
    package static let manual = ControlManual(
        "mode", "Replaces the configured profile with a monitoring mode, or restores the profile.", keys: [modeKey],
        command: "`trackerd mode quiet`")

    /// The new mode; nil for the configured one.
    package let mode: MonitoringMode?

    package init?(_ reader: inout RequestReader) {
        guard let text = reader.necessaryText(Self.modeKey) else { return nil }
        guard text != Self.configured else {
            mode = nil
            return
        }
        guard let mode = MonitoringMode.allCases.first(where: { $0.name == text || "\($0.rawValue)" == text }) else {
            let names = MonitoringMode.allCases.map(\.name).joined(separator: ", ")
            reader.note(
                "`mode` must be one of \(names), the number of a mode from -1 to 2, or \(Self.configured); `\(text)` is not."
            )
            return nil
        }
        self.mode = mode
    }

    /// Throws if a server would end `quiet` or `manual` without the permission to set them.
    package func check(in session: any Session) throws(ControlError) {
        let present = session.engine.mode
        guard !present.recordsUnasked, mode != present, !session.permits(.silence) else { return }
        throw ControlError(
            "the tracker is in the mode \(present.name), which a server can end only with the permission `silence`. Add `silence` to the target's `control`."
        )
    }

    package func run(in session: any Session) -> ControlOutcome? {
        let change = session.handle(.command(.mode(mode)))
        let engine = change.after
        let item = engine.resolvedOptions.item("monitoring")
        guard let mode else { return change.outcome("The mode is \(engine.mode.name), as configured.") }
        guard engine.mode != mode, let item else { return change.outcome("The mode is \(mode.name).") }
        return change.outcome(
            "The mode is stored, but `monitoring: \(engine.mode.name)` (\(item.origin.title)) overrides it.")
    }
}

package struct TagRequest: ControlRequest {
    static let tagKey = ControlKey("tag", "the tag, or null for no tag")
    package static let permission: RemotePermission? = .tag
    package static let manual = ControlManual(
        "tag", "Sets the tag of new records, or removes the tag.", keys: [tagKey], command: "")

    let tag: String?

    package init?(_ reader: inout RequestReader) { tag = reader.text(Self.tagKey) }

    package func run(in session: any Session) -> ControlOutcome? {
        let change = session.handle(.command(.tag(tag)))
        return change.outcome(tag.map { "New records get the tag `\($0)`." } ?? "New records get no tag.")
    }
}

extension Suspension {
    fileprivate var error: ControlError {
        switch self {
        case .switchedOff:
            ControlError("tracking is switched off. Run `trackerd tracking start` to switch it on.")
        case .schedule:
            ControlError(
                "the schedule does not allow tracking now. Change the schedule, or set `trackOutsideSchedule` in the configuration."
            )
        }
    }
}
