/// What both states of the vehicle work with: the receiver that they switch, and the logbook that they write.
struct Equipment: Sendable {
    var receiver: ReceiverManager
    var logbook: Logbook

    /// Switches the receiver on or off for tracking; a request for a location may keep it on.
    mutating func want(receiver isOn: Bool, _ context: Context, into effects: inout EffectBuffer) {
        receiver.want(isOn, by: .tracking, context, logbook, into: &effects)
    }

    /// Records whether the receiver is heard and has a fix, if that has changed.
    mutating func note(provider state: ProviderChange.State, _ context: Context, into effects: inout EffectBuffer) {
        receiver.note(state, context, logbook, into: &effects)
    }

    /// Records something that happened now, where the vehicle is.
    func record(_ content: Record.Content, _ context: Context, into effects: inout EffectBuffer) {
        logbook.record(content, context, into: &effects)
    }
}
