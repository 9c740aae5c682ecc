import Quantities
import Testing
import Tracking

@testable import Recordings

@Suite("Fix track")
struct FixTrackTests {
    /// A drive of a minute in which the receiver reports for ten seconds.
    private let drive: Drive = {
        var drive = Drive()
        let place = Coordinate(latitude: 52.374031, longitude: 4.889692)
        drive.fixes = (0..<10).map { second in
            let fix = Fix(mode: .threeDimensional, time: SimulatedDate.epoch + .seconds(second), coordinate: place)
            return .init(.seconds(second), fix)
        }
        drive.others = [.init(.seconds(60), .ignition(isOn: false))]
        return drive
    }()

    @Test("Reports stop when the receiver falls silent in a drive and resume when the vehicle is parked.")
    func silence() {
        var track = FixTrack(Timeline([drive, drive], gap: .seconds(30)))
        #expect(track.nextTime(from: .boot + .seconds(9)) == .boot + .seconds(9))
        #expect(track.nextTime(from: .boot + .seconds(10)) == .boot + .seconds(60))
        #expect(track.fix(at: .boot + .seconds(30)) == nil)
        #expect(track.fix(at: .boot + .seconds(60))?.speed == .zero)
        #expect(track.nextTime(from: .boot + .milliseconds(89_500)) == .boot + .seconds(90))
    }
}
