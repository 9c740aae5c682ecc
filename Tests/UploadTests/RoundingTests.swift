import Contracts
@testable import Formats
import Quantities
import Testing
import Tracking
@testable import Upload

@Suite("Rounding in the formats")
struct RoundingTests {
    /// A record with more decimals than a receiver can measure.
    private static let fine = StoredRecord.whole.with { record in
        record.position = Coordinate(latitude: 52.374_031_249, longitude: 4.889_692_751).map {
            Position(
                coordinate: $0, accuracy: Metres(5.876_54), altitude: Metres(3.234_56),
                ellipsoidAltitude: Metres(46.123_45), verticalAccuracy: Metres(9.123_45),
                speed: MetresPerSecond(13.065_43), course: Degrees(212.434_56), satellites: 9)
        }
        record.odometer = Metres(18_342_700.456_78)
    }

    private static let expected: [(format: any UploadFormat, parts: [String])] = [
        (
            GeoJSON(),
            [
                #""coordinates":[4.8896928,52.3740312,46.12]"#, #""accuracy_m":5.9"#, #""altitude_msl_m":3.23"#,
                #""speed_mps":13.07"#, #""course_deg":212.4"#, #""vertical_accuracy_m":9.1"#,
            ]
        ),
        (
            Transistor(.init()),
            [
                #""accuracy":5.88"#, #""altitude":3.23"#, #""altitude_accuracy":9.12"#,
                #""ellipsoidal_altitude":46.12"#,
                #""heading":212.4"#, #""latitude":52.3740312"#, #""longitude":4.8896928"#, #""speed":13.07"#,
            ]
        ),
    ]

    @Test(
        "Each format rounds to the precision of a receiver: centimetres, and tenths or hundredths of a degree.",
        arguments: expected.indices)
    func decimals(index: Int) throws {
        let (format, parts) = Self.expected[index]
        let target = try UploadTarget.sample("https://track.example.net/in", format)
        guard case .payload(let payload) = format.encode([Self.fine], isNewest: true, for: target.sender, over: .http)
        else {
            throw Unexpected()
        }
        let text = String(decoding: payload.body, as: UTF8.self)
        for part in parts { #expect([",", "}", "]"].contains { text.contains(part + $0) }, "\(part) in \(text)") }
    }

    @Test(
        "GeoJSON states an error to the centimetre below a metre, and to the decimetre from there on.",
        arguments: [(0.0142, "0.01"), (0.996, "1"), (1.04, "1"), (1.05, "1.1"), (12.345, "12.3")])
    func errors(metres: Double, expected: String) {
        let stored = StoredRecord.whole.with { $0.position?.accuracy = Metres(metres) }
        let feature = GeoJSON.feature(of: stored, device: "van1").map { String(decoding: $0, as: UTF8.self) }
        #expect(feature?.contains("\"accuracy_m\":\(expected),") == true)
    }

    @Test("A template gets numbers with the same rounding, unless the template states the decimals.")
    func template() throws {
        let names = [
            "lat", "lon", "accuracy_m", "speed_mps", "speed_kmh", "speed_kn", "speed_mph", "course_deg",
            "altitude_msl_m", "altitude_ellipsoid_m", "vertical_accuracy_m", "odometer_m", "odometer_km", "lat:.3",
        ]
        let format = try Template(
            path: "/", body: names.map { "{\($0)}" }.joined(separator: " "), contentType: "text/plain")
        let target = try UploadTarget.sample("https://track.example.net/in", format)
        guard case .payload(let payload) = format.encode([Self.fine], isNewest: true, for: target.sender, over: .http)
        else {
            throw Unexpected()
        }
        #expect(
            String(decoding: payload.body, as: UTF8.self)
                == "52.3740312 4.8896928 5.88 13.07 47.04 25.4 29.23 212.4 3.23 46.12 9.12 18342700.46 18342.7 52.374"
        )
    }
}
