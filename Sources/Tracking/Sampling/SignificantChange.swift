import Quantities

/// Records when the vehicle is somewhere else, at most every five minutes (OwnTracks on iOS, Radar).
enum SignificantChange {
    /// How far is somewhere else.
    private static let distance = Metres(500)
    /// The least time between two records.
    static let interval = Duration.seconds(300)

    /// Whether the fix is far enough and late enough.
    static func wants(_ fix: AcceptedFix, after last: EngineState.Recorded) -> Bool {
        let elapsed = fix.time - last.time
        return (elapsed < .zero || elapsed >= interval) && last.coordinate.distance(to: fix.coordinate) >= distance
    }
}
