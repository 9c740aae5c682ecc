import Quantities

extension Engine {
    /// Switches to one of OwnTracks' modes.
    mutating func switchMode(_ mode: MonitoringMode, because origin: String, at now: Instant) -> [Effect] {
        guard mode != options.monitoring else { return [] }
        state.mode = mode
        return []
    }
}
