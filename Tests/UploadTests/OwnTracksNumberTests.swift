import TrackingOptions
import Contracts
import Quantities
import Testing
import Tracking

@testable import Upload

@Suite("Numbers in the OwnTracks format")
struct OwnTracksNumberTests {
    @Test(
        "The odometer is written in kilometres, to the metre.",
        arguments: [(12_345.6789, "12.346"), (0.4, "0"), (0.5, "0.001"), (1_500, "1.5"), (18_342_700, "18342.7")])
    func odometer(metres: Double, expected: String) throws {
        let target = try UploadTarget.sample("https://track.example.net/pub", "owntracks")
        let stored = StoredRecord.bare.with { $0.odometer = Metres(metres) }
        guard case .payload(let message) = target.format.encode([stored], isNewest: true, for: target, over: .mqtt) else {
            Issue.record("The record is withheld.")
            return
        }
        #expect(String(decoding: message.body, as: UTF8.self).contains(#""odometer":\#(expected),"#))
    }
}
