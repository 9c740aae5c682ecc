import Tracking

/// The states of the engine that the queue knows, on disk or not.
struct EngineStates {
    /// The newest state; nil if the program has none yet.
    private(set) var last: EngineState?
    /// The state in the file when it was first opened; nil until then.
    private(set) var found: EngineState.Restored??
    /// The state from before the start, if the queue found it only after the engine had begun; otherwise nil.
    private(set) var former: EngineState?

    private var coder = StateCoder()

    /// Whether the file has been open once.
    var hasBegun: Bool { found != nil }

    /// The state for a new file that replaces a damaged one; nil if there is none.
    var forReplacement: StateTexts? {
        mutating get { (former ?? last ?? (found ?? nil)?.state).map { coder.write($0) } }
    }

    /// The newest state, for a file that takes the place of the former one; nil if the file has not been open yet.
    var forReopening: StateTexts? {
        mutating get { hasBegun ? last.map { coder.write($0) } : nil }
    }

    /// Returns the texts of a state to commit; nil while the state on disk must remain.
    mutating func texts(of state: EngineState?) -> StateTexts? { former == nil ? state.map { coder.write($0) } : nil }

    mutating func note(_ state: EngineState) { last = state }

    /// Notes the state in the file when it is first opened.
    ///
    /// Returns the state if the engine has already begun without it; the waiting records then continue from it.
    mutating func find(_ state: StateTexts?) -> EngineState? {
        guard found == nil else { return nil }
        let restored = state.map(coder.read)
        found = .some(restored)
        if last != nil, let restored { former = restored.state }
        return former
    }

    /// Returns the state from before the start, once.
    mutating func takeFormer() -> EngineState? {
        defer { former = nil }
        return former
    }
}
