/// Records changes of the receiver, each once: heard, lost, without a fix, or not switchable.
struct ProviderLog: Sendable, Hashable {
    private var state = ProviderChange.State.available
    private var canBeSwitched = true

    /// Records a state that differs from the last one; a receiver that is lost has no fix, which is no event of its own.
    mutating func note(
        _ new: ProviderChange.State, _ context: Context, _ logbook: Logbook, into effects: inout EffectBuffer
    ) {
        let isLost = state == .silent || state == .frozen
        guard new != state, !(isLost && new == .noFix) else { return }
        state = new
        logbook.record(.providerchange(ProviderChange(new)), context, into: &effects)
    }

    /// Records that the receiver cannot be switched, or its last state when it can be again.
    mutating func noteLines(
        canBeSet: Bool, _ context: Context, _ logbook: Logbook, into effects: inout EffectBuffer
    ) {
        guard canBeSet != canBeSwitched else { return }
        canBeSwitched = canBeSet
        effects.decide(.receiver, canBeSet ? "can be switched again" : "cannot be switched: a line cannot be set")
        let change = ProviderChange(canBeSet ? state : .unswitchable)
        logbook.record(.providerchange(change), context, into: &effects)
    }
}
