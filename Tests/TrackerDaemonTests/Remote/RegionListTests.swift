@testable import Control
import Formats
import JSON
import Quantities
import Testing
import Tracking

@Suite("A server's list of regions")
struct RegionListTests {
    private func read(_ json: String) throws -> [Region] {
        try RegionList.read(try #require(JSONValue(json: json)))
    }

    private static let depot = #"{"name":"Depot","id":"d1","latitude":52.5,"longitude":13.4,"radius":100}"#

    @Test(
        "A list and a FeatureCollection describe the same circle.",
        arguments: [
            "[\(depot)]",
            #"{"type":"FeatureCollection","features":[{"type":"Feature","id":"d1","geometry":{"type":"Point","coordinates":[13.4,52.5,40]},"properties":{"name":"Depot","radius":100,"colour":"red"}}]}"#,
            #"{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point","coordinates":[13.4,52.5]},"properties":{"id":"d1","name":"Depot","radius":1e2}}]}"#,
        ])
    func shapes(json: String) throws {
        let region = try #require(try read(json).first)
        let centre = try #require(Coordinate(latitude: 52.5, longitude: 13.4))
        #expect(region.name == RegionName(id: "d1", name: "Depot") && region.text == "Depot")
        #expect(region.shape == .area(.circle(centre: centre, radius: Metres(100))))
    }

    @Test("Without an `id` the name is the key; a whole number is a key too; an empty list is valid.")
    func keys() throws {
        let regions = try read(
            #"[{"name":"a","latitude":0,"longitude":0,"radius":1},{"id":7,"name":"b","latitude":0,"longitude":0,"radius":1}]"#
        )
        #expect(regions.map(\.id) == ["a", "7"])
        #expect(try read("[]").isEmpty)
    }

    @Test(
        "One invalid region makes the list invalid, and the error names the region.",
        arguments: [
            (
                #"{"name":"x","latitude":91,"longitude":0,"radius":9}"#,
                "`latitude` must be a number from -90 to 90, and `longitude` a number from -180 to 180"
            ),
            (
                #"{"name":"x","latitude":"1","longitude":0,"radius":9}"#,
                "`latitude` must be a number from -90 to 90, and `longitude` a number from -180 to 180"
            ),
            (
                #"{"name":"x","latitude":1,"longitude":0,"radius":0}"#,
                "`radius` must be a number of metres from 1 to 5000000"
            ),
            (
                #"{"name":"x","latitude":1,"longitude":0,"radius":5000001}"#,
                "`radius` must be a number of metres from 1 to 5000000"
            ),
            (#"{"name":"x","latitude":1,"longitude":0}"#, "`radius` must be a number of metres from 1 to 5000000"),
            (
                #"{"name":"x","latitude":1,"longitude":0,"radius":9,"raduis":8}"#,
                "`raduis` is not a key of a region; did you mean `radius`?"
            ),
            (
                #"{"name":"x","id":"","latitude":1,"longitude":0,"radius":9}"#,
                "`id` is neither a string nor a whole number"
            ),
            (
                #"{"name":"x","id":[1],"latitude":1,"longitude":0,"radius":9}"#,
                "`id` is neither a string nor a whole number"
            ),
            (#"{"name":"x","id":"d1","latitude":1,"longitude":0,"radius":9}"#, "another region has the key `d1`"),
            (
                #"{"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[1,2]]]},"properties":{"name":"x","radius":9}}"#,
                "`geometry` is not a point with a longitude from -180 to 180 and a latitude from -90 to 90"
            ),
        ])
    func invalid(region: String, fault: String) throws {
        let error = #expect(throws: ControlError.self) { try read("[\(Self.depot),\(region)]") }
        #expect(error?.description == "region 2 (`x`): \(fault).")
    }

    @Test(
        "A region without a usable name is named by its number.",
        arguments: [
            (#"{"latitude":1,"longitude":0,"radius":9}"#, "region 1: `name` is missing or not a string."),
            ("7", "region 1: it is not an object."),
            (
                #"{"name":"a\u001b[2Jb","latitude":1,"longitude":0,"radius":9}"#,
                "region 1 (`a\\u{1b}[2Jb`): `name` contains a control character, a line separator or a mark that changes the direction of writing."
            ),
        ])
    func unnamed(region: String, text: String) throws {
        #expect(#expect(throws: ControlError.self) { try read("[\(region)]") }?.description == text)
    }

    @Test("A list of 1000 regions is valid, and a list of 1001 regions is not.")
    func bound() throws {
        let list = { (count: Int) in
            let regions = (0..<count).map { #"{"name":"r\#($0)","latitude":1,"longitude":0,"radius":9}"# }
            return "[\(regions.joined(separator: ","))]"
        }
        #expect(try read(list(1000)).count == 1000)
        let error = #expect(throws: ControlError.self) { try read(list(1001)) }
        #expect(error?.description == "the list has 1001 regions; the maximum is 1000.")
    }

    @Test(
        "A value that is neither a list nor a FeatureCollection is refused.",
        arguments: ["7", "{}", #"{"type":"Feature"}"#])
    func noList(json: String) throws {
        #expect(throws: ControlError("`regions` must be a list of regions, or a FeatureCollection of GeoJSON.")) {
            try read(json)
        }
    }
}
