import Tracking

struct EngineStates {
    /// The newest state; nil if the program has none yet.
    private(set) var last: EngineState?
    /// Nil until the file was readable; the inner value is nil if the file had no state.
    private(set) var found: EngineState.Restored??
    /// A state that was found only after the engine had begun.
    private(set) var former: EngineState?

    private var coder = StateCoder()

    var hasBegun: Bool { found != nil }

    /// The case is compared, because a comparison with nil copies the state.
    var hasFormer: Bool { if case .some = former { true } else { false } }

    /// The texts for a new file that replaces a damaged one.
    var forReplacement: StateTexts? {
        mutating get { (former ?? last ?? (found ?? nil)?.state).map { coder.write($0) } }
    }

    /// The texts for a new file if the file is damaged when it is opened again.
    var forReopening: StateTexts? {
        mutating get { hasBegun ? last.map { coder.write($0) } : nil }
    }

    /// Nil while the state on disk must remain.
    mutating func texts(of state: EngineState?) -> StateTexts? { !hasFormer ? state.map { coder.write($0) } : nil }

    mutating func note(_ state: EngineState) { last = state }

    /// Notes the state when the file is first opened. Returns it if the engine has begun without it; the waiting
    /// records then continue from it.
    mutating func find(_ state: StateTexts?) -> EngineState? {
        guard found == nil else { return nil }
        let restored = state.map(coder.read)
        found = .some(restored)
        if last != nil, let restored { former = restored.state }
        return former
    }

    mutating func takeFormer() -> EngineState? {
        defer { former = nil }
        return former
    }
}
