import Foundation
import Testing

@testable import Store

@Suite("The encoder of snapshots")
struct SnapshotEncoderTests {
    private enum Choice: Codable, Equatable {
        case plain
        case named(count: Int, text: String?)
        case listed([Choice])
    }

    private struct Sample: Codable, Equatable {
        var flag = true
        var small: UInt8 = 255
        var large = UInt64.max
        var spans = [Duration.seconds(10), .milliseconds(-1), .seconds(1e9), .zero]
        var number = -12.5
        var whole = 3.0
        var text = "a \"quote\" \\ / \n é"
        var nothing: Int?
        var choices = [Choice.plain, .named(count: -1, text: nil), .named(count: 2, text: "b"), .listed([.plain])]
        var rows: [[Double?]] = [[], [0.1, nil], [1e-9, 1e300]]
        var places = ["north": [1, 2], "": []]
        var last = Inner(value: 7)

        struct Inner: Codable, Equatable { var value: Int64 }
    }

    @Test("A decoder reads back what the encoder has written.")
    func roundTrip() throws {
        let text = try SnapshotEncoder.text(of: Sample())
        #expect(try JSONDecoder().decode(Sample.self, from: Data(text.utf8)) == Sample())
        #expect(try SnapshotEncoder.text(of: [Sample.Inner(value: .min)]) == #"[{"value":-9223372036854775808}]"#)
        #expect(try SnapshotEncoder.text(of: [String: Int]()) == "{}")
    }

    @Test("The text is that of Foundation's encoder, but for the order of the members.")
    func equivalent() throws {
        let one = try JSONSerialization.jsonObject(with: Data(SnapshotEncoder.text(of: Sample()).utf8)) as? NSDictionary
        let other = try JSONSerialization.jsonObject(with: JSONEncoder().encode(Sample())) as? NSDictionary
        #expect(one != nil && one == other)
    }

    @Test("A number that is not finite is an error.", arguments: [Double.nan, .infinity])
    func notFinite(number: Double) {
        #expect(throws: (any Error).self) { try SnapshotEncoder.text(of: [number]) }
    }
}
