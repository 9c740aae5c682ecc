extension SyncRule {
    /// Whether a record stays on the device; the answer to a request never does, since somebody waits for it.
    func withholds(_ record: Record) -> Bool {
        if case .request = record.content { return false }
        switch self {
        case .all: return false
        case .none: return true
        case .stopsAndExits:
            if case .transition(let transition) = record.content { return transition.direction != .leave }
            return !record.isStop
        }
    }
}
