import Foundation
import Quantities
import Testing
import TrackingOptions

@testable import Tracking

@Suite("Restoring the stored state")
struct RestoredStateTests {
    /// The state as the program wrote it in November 2026, one line per field.
    ///
    /// A field that is added later also gets a line.
    private static let written: [(field: String, json: String)] = [
        ("boots", "12"),
        ("bootID", #""ab12""#),
        ("ignition", "true"),
        (
            "awake",
            #"{"bootID":"ab12","end":{"nanoseconds":5000000000},"isDateDue":false,"span":[390,5769811253274869760],"#
                + #""until":1767225779062}"#
        ),
        (
            "followed",
            #"[{"lead":[1,11553255926290448384],"name":{"id":"f","name":"Near"},"radius":50,"wasOutside":false}]"#
        ),
        ("isLastFixOfTrip", "true"),
        ("isMoving", "true"),
        ("isSwitchedOff", "true"),
        ("endingStay", #"{"arrived":1767225779062}"#),
        (
            "lastFix",
            #"{"position":{"accuracy":5,"coordinate":{"lat":41.5,"lon":-91.5},"speed":0},"time":1767225962130}"#
        ),
        ("lastRecorded", #"{"coordinate":{"lat":41.5,"lon":-91.5},"time":1767225779062}"#),
        ("lastUnasked", "1767225779062"),
        (
            "layers",
            #"{"layers":[{"assignments":[{"key":"beacons","source":"server","value":{"flag":true}}],"name":"live","#
                + #""origin":"remote"}]}"#
        ),
        (
            "mounting",
            #"{"gravity":{"count":3,"mean":{"x":0,"y":0,"z":9.5},"tilted":0},"sumOfChanges":0,"#
                + #""sumOfProducts":{"x":0,"y":0,"z":0},"sumOfReadings":0,"windows":0}"#
        ),
        ("names", #"{"driver":"Ann"}"#),
        ("noise", #"{"idling":{"count":2,"estimate":0.1},"parked":{"count":60,"estimate":0.05}}"#),
        ("odometer", #"{"distance":804.6352263249448,"last":{"place":{"lat":41.5,"lon":-91.5}}}"#),
        ("overspeed", #"{"began":1767225779062,"last":1767225799062,"limit":25,"top":31.5}"#),
        ("parked", #"{"accuracy":5,"altitude":194.22,"coordinate":{"lat":41.5,"lon":-91.5}}"#),
        ("parkedSince", "1767225779062"),
        ("privacy", #"{"command":{},"isPrivatePlace":false,"isPrivateTime":true,"since":1767225779062}"#),
        ("stays", #"[{"entered":1767225779062,"hasDwelt":false,"id":"depot"}]"#),
        ("tag", #""night""#),
        ("timeToFirstFix", "[0,2379174950000000000]"),
        ("tow", #"{"told":{}}"#),
        ("trial", #"{"former":[],"target":"home"}"#),
        ("trips", #"{"count":7}"#),
        ("waypoints", #"[{"defined":1767225779062,"isAutomatic":false,"isShared":true,"text":"Home"}]"#),
    ]

    @Test("The stored state is restored unchanged, and each field of the table has a value that is not its default.")
    func whole() throws {
        let restored = try Self.restore(Self.written)
        #expect(restored.unreadable.isEmpty && restored.warning == nil)
        let (values, defaults) = (Self.values(restored.state), Self.values(EngineState()))
        #expect(Set(values.keys) == Set(Self.written.map(\.field)))
        for (field, value) in values { #expect(value != defaults[field], "\(field)") }
        #expect(restored.state.logbook.odometer.distance.value == 804.6352263249448)
        let again = try JSONDecoder().decode(EngineState.self, from: JSONEncoder().encode(restored.state))
        #expect(again == restored.state)
    }

    @Test(
        "A stored state without a field has that field's default, and the other fields unchanged.",
        arguments: written.map(\.field))
    func missing(field: String) throws {
        let restored = try Self.restore(Self.written.filter { $0.field != field })
        #expect(Self.values(restored.state) == (try Self.values(without: field)))
        #expect(restored.unreadable.isEmpty)
    }

    @Test(
        "An unreadable field of the state gets its default and is named, and the other fields are restored.",
        arguments: written.map(\.field))
    func broken(field: String) throws {
        let restored = try Self.restore(Self.written.map { $0.field == field ? (field: field, json: "[true]") : $0 })
        #expect(Self.values(restored.state) == (try Self.values(without: field)))
        #expect(restored.unreadable == [field])
        #expect(restored.warning?.contains(": \(field). Check") == true)
    }

    @Test("A stored state of a later version is read without its unknown fields.")
    func unknown() throws {
        let restored = try Self.restore(Self.written + [(field: "mood", json: #"{"good":true}"#)])
        #expect(restored == (try Self.restore(Self.written)))
    }

    @Test("Tracking remains off if odometer and trips are lost.")
    func switchedOff() throws {
        let restored = try Self.restore([("isSwitchedOff", "true"), ("odometer", "804.6"), ("trips", "7")])
        #expect(restored.unreadable == ["trips", "odometer"])
        var engine = Engine(Profile.vehicle.options, restoring: restored.state)
        #expect(!engine.handle(.started, at: .at(0)).contains(.receiver(isOn: true)))
    }

    private static func restore(_ fields: [(field: String, json: String)]) throws -> EngineState.Restored {
        let text = "{" + fields.map { #""\#($0.field)":\#($0.json)"# }.joined(separator: ",") + "}"
        return try JSONDecoder().decode(EngineState.Restored.self, from: Data(text.utf8))
    }

    private static func values(_ state: EngineState) -> [String: String] {
        let parts = Mirror(reflecting: state).children
        let fields = parts.flatMap { part -> [(String, String)] in
            guard part.value is any EngineSnapshot else { return [(part.label ?? "", String(reflecting: part.value))] }
            return Mirror(reflecting: part.value).children.map { ($0.label ?? "", String(reflecting: $0.value)) }
        }
        return Dictionary(uniqueKeysWithValues: fields)
    }

    /// Returns the descriptions of the values in the table, with the default of this one field.
    private static func values(without field: String) throws -> [String: String] {
        var expected = values(try restore(written).state)
        expected[field] = values(EngineState())[field]
        return expected
    }
}
