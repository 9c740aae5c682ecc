/// OwnTracks' intervals: which of the two holds depends on the mode, and a third key pegs the fastest one to it.
struct OwnTracksIntervals {
    /// The key by which fixes of others are not recorded in between.
    static let peg = "pegLocatorFastestIntervalToInterval"

    private var interval: (OptionTree.Entry, OptionValue)?
    private var moveInterval: (OptionTree.Entry, OptionValue)?
    private var pegged: OptionTree.Entry?

    /// Keeps the value of one of the keys.
    mutating func read(_ entry: OptionTree.Entry, _ value: OptionValue) {
        switch entry.key {
        case Self.peg: pegged = value == .flag(true) ? entry : nil
        case "moveModeLocatorInterval": moveInterval = (entry, value)
        default: interval = (entry, value)
        }
    }

    /// The options that follow, each with the key that is to be named for it.
    func results(isMove: Bool) -> [(OptionTree.Entry, String, OptionValue)] {
        guard let (entry, value) = isMove ? moveInterval ?? interval : interval ?? moveInterval else { return [] }
        let desired = (entry, "desiredMovingUpdateInterval", value)
        return pegged.map { [desired, ($0, "fastestMovingUpdateInterval", value)] } ?? [desired]
    }
}

extension TrackingOption {
    /// A row outside of the table, by which the value of that key is read.
    static let peg = TrackingOption.flag(OwnTracksIntervals.peg, \.disableElasticity, "Read as part of another.")
}
