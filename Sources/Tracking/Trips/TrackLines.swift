import Quantities

/// Compares the distance counted along a track with the length of straight lines through the track.
///
/// The lines have few corners, but no fix is farther from the lines than the sampling bound. A line is therefore longer than the
/// road by at most the errors of its two ends. The noise of the other fixes adds almost no length.
struct TrackLines: Sendable, Hashable, Codable {
    /// The error of the first fix.
    let startError: Metres
    /// The corner at which the newest line begins; the line ends at `end`, the last fix.
    private var corner: Coordinate
    private var end: Coordinate
    private var chord = Chord(bound: ChordRule.bound)
    /// The length of the lines up to the corner.
    private var finished = Metres.zero
    private var counted = Metres.zero

    /// Begins the lines at a fix.
    init(from fix: AcceptedFix) {
        startError = fix.position.error
        (corner, end) = (fix.coordinate, fix.coordinate)
    }

    /// The length of the lines minus the distance counted; positive if the count is too low.
    var difference: Metres { finished + corner.distance(to: end) - counted }

    /// Adds to the distance counted.
    mutating func count(_ way: Metres) { counted = counted + way }

    /// Extends the lines to a place.
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
