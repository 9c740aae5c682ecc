import Contracts
import Hardware
import Motion
import Quantities
import Recordings
import Testing
import Tracking

@Suite("Recorded receiver")
struct DriveReceiverTests {
    @Test("The recorded receiver fulfils the contract of receivers.")
    func contract() {
        #expect(violationsOfReceiverContract { Bench() } == [])
    }

    @Test("The first fix arrives when the time to first fix has passed after the start.")
    func timeToFirstFix() {
        let receiver = DriveReceiver(Bench.timeline, timeToFirstFix: .seconds(10))
        receiver.start(at: .boot)
        #expect(receiver.wait.deadline == .boot + .seconds(10))
        #expect(receiver.advance(at: .boot + .seconds(9)).isEmpty)
        #expect(receiver.advance(at: .boot + .seconds(10)).count == 2)
    }

    @Test("After the last drive the receiver reports its last position with speed zero.")
    func parked() {
        let receiver = DriveReceiver(Bench.timeline)
        let late = Bench.timeline.end + .seconds(100)
        receiver.start(at: late)
        let fixes = receiver.advance(at: late + .seconds(3)).compactMap { event -> Fix? in
            if case .fix(let fix) = event { fix } else { nil }
        }
        #expect(fixes.count == 3)
        #expect(fixes.allSatisfy { $0.speed == .zero })
    }
}

/// A bench on which the recorded drive continues while the contract waits.
private final class Bench: ReceiverBench {
    static var timeline: Timeline { Timeline([drive], gap: .zero) }

    private static let drive: Drive = {
        var drive = Drive()
        drive.fixes = (0...600).map { second in
            let place = Coordinate(latitude: 52.374031, longitude: 4.889692)
            let time = SimulatedDate.epoch + .seconds(second)
            return .init(
                .seconds(second), Fix(mode: .threeDimensional, time: time, coordinate: place, accuracy: Metres(4)))
        }
        return drive
    }()

    let receiver: any Receiver = DriveReceiver(timeline)
    private(set) var now = Instant.boot

    func events(during span: Duration) -> [Event] {
        now = now + span
        return receiver.advance(at: now)
    }
}
