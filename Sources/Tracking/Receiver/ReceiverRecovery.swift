/// What may bring a receiver back that is lost, before its supply is cut; gentler ones first.
package enum ReceiverRecovery: String, Sendable, Hashable, CaseIterable {
    /// Take its device from whatever reads it, and give it back.
    case reopen
    /// Reset it, its orbits and clock being kept.
    case reset
}
