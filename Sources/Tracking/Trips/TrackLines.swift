import Quantities

/// Compares the distance counted along a track with the length of straight lines through the track.
///
/// The lines have few corners, but no fix is farther from the lines than the sampling bound. A line is therefore longer than the
/// road by at most the errors of its two ends. The noise of the other fixes adds almost no length.
struct TrackLines: Sendable, Hashable, Codable {
    let startError: Metres
    /// The newest line goes from here to `end`, the last fix.
    private var corner: Coordinate
    private var end: Coordinate
    private var chord = Chord(bound: ChordRule.bound)
    /// Up to the corner.
    private var finished = Metres.zero
    private var counted = Metres.zero

    init(from fix: AcceptedFix) {
        startError = fix.position.error
        (corner, end) = (fix.coordinate, fix.coordinate)
    }

    /// Positive if the count is too low.
    var difference: Metres { finished + corner.distance(to: end) - counted }

    mutating func count(_ way: Metres) { counted = counted + way }

    mutating func add(_ place: Coordinate) {
        if !chord.reach(from: corner, to: place) {
            finished = finished + corner.distance(to: end)
            corner = end
            chord = Chord(bound: ChordRule.bound)
            _ = chord.reach(from: corner, to: place)
        }
        end = place
    }
}
