import Quantities
import Testing

@testable import Control
@testable import TrackerDaemon

@Suite("The meter for the loop's turns")
struct TurnMeterTests {
    private let start = Instant(seconds: 100)

    @Test("A turn above 20 ms is reported with what the loop handled; a shorter turn is not.")
    func limit() {
        var meter = TurnMeter()
        meter.begin(at: start)
        meter.note("gpsd")
        #expect(meter.end(at: start + .milliseconds(20)) == nil)
        meter.begin(at: start + .seconds(1))
        meter.note("stillness")
        meter.note("request status")
        let long = meter.end(at: start + .milliseconds(1021))
        #expect(long == .init(length: .milliseconds(21), work: ["stillness", "request status"]))
        meter.begin(at: start + .seconds(2))
        #expect(meter.end(at: start + .seconds(2)) == nil)
        #expect(meter.longest == .milliseconds(21) && meter.longCount == 1)
    }
}
