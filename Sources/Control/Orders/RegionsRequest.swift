import JSON
import Quantities
import Store
package import Tracking
import TrackingOptions

/// A server's list of regions. Servers send this request, and trackerd itself makes one from a list that it has
/// fetched.
package struct RegionsRequest: ControlRequest {
    static let regionsKey = ControlKey("regions", "a list of regions, or a FeatureCollection of GeoJSON")
    package static let permission: RemotePermission? = .regions
    package static let manual = ControlManual(
        "regions", "Replaces all regions of the server.", keys: [regionsKey], command: "")

    let regions: [Region]

    package init?(_ reader: inout RequestReader) {
        guard let value = reader.json(Self.regionsKey) else {
            reader.note("`regions` is missing.")
            return nil
        }
        do throws(ControlError) {
            regions = try RegionList.read(value)
        } catch {
            reader.note(error.description)
            return nil
        }
    }

    package func run(in session: any Session) -> ControlOutcome? {
        let list = ServerRegions(target: session.server ?? "", regions: regions)
        session.store(list)
        let change = session.handle(.serverRegions(session.engine.serverRegions.replacing(with: list)))
        var sentences = ["The tracker stores \(regions.count == 1 ? "1 region" : "\(regions.count) regions")."]
        let hidden = change.after.hiddenRegionCount(of: list.target)
        if hidden > 0 {
            sentences.append(
                "It does not watch \(hidden) of them, because another region or waypoint has the same key or name.")
        }
        if !change.after.watchesServerRegions {
            sentences.append("It watches none of them, because `syncGeofences` is off or `syncGeofencesLimit` is 0.")
        }
        return change.outcome(sentences.joined(separator: " "))
    }
}

/// One invalid region makes the whole list invalid.
enum RegionList {
    private static let keys = ["id", "name", "latitude", "longitude", "radius"]
    /// The permitted radii in metres.
    private static let radii = 1.0...5_000_000

    /// Reads a list of regions, or a FeatureCollection (RFC 7946).
    static func read(_ value: JSONValue) throws(ControlError) -> [Region] {
        var items: [[String: JSONValue]] = []
        for (index, item) in try list(value).enumerated() {
            guard let members = item.members else { throw fault(index + 1, "it is not an object") }
            items.append(members)
        }
        guard items.count <= ServerRegions.most else {
            throw ControlError("the list has \(items.count) regions; the maximum is \(ServerRegions.most).")
        }
        var regions: [Region] = []
        var keys: Set<String> = []
        for (index, members) in items.enumerated() {
            let region = try region(members, number: index + 1)
            guard keys.insert(region.id).inserted else {
                throw fault(index + 1, named: region.name.name, "another region has the key `\(region.id)`")
            }
            regions.append(region)
        }
        return regions
    }

    private static func list(_ value: JSONValue) throws(ControlError) -> [JSONValue] {
        if case .list(let list) = value { return list }
        if value.members?["type"] == .text("FeatureCollection"), case .list(let list)? = value.members?["features"] {
            return list
        }
        throw ControlError("`regions` must be a list of regions, or a FeatureCollection of GeoJSON.")
    }

    private static func region(_ members: [String: JSONValue], number: Int) throws(ControlError) -> Region {
        let isFeature = members["type"] == .text("Feature")
        let fields = isFeature ? fields(of: members) : members
        let written = fields["name"].flatMap(text)
        func fault(_ words: String) -> ControlError { Self.fault(number, named: written, words) }

        if let unknown = fields.keys.sorted().first(where: { !keys.contains($0) }) {
            let hint = Spelling.nearest(to: unknown, among: keys).map { "; did you mean `\($0)`?" } ?? ""
            throw fault("`\(unknown.printable(limit: 60))` is not a key of a region\(hint)")
        }
        guard let name = written, !name.isEmpty else { throw fault("`name` is missing or not a string") }
        let id = fields["id"].map(key) ?? name
        guard let id, !id.isEmpty else { throw fault("`id` is neither a string nor a whole number") }
        for (key, text) in [("name", name), ("id", id)] {
            if let reason = text.nameFault { throw fault("`\(key)` \(reason)") }
        }
        let latitude = fields["latitude"]?.double
        let longitude = fields["longitude"]?.double
        guard let latitude, let longitude, let centre = Coordinate(latitude: latitude, longitude: longitude) else {
            throw fault(
                isFeature
                    ? "`geometry` is not a point with a longitude from -180 to 180 and a latitude from -90 to 90"
                    : "`latitude` must be a number from -90 to 90, and `longitude` a number from -180 to 180")
        }
        guard let radius = fields["radius"]?.double, radii.contains(radius) else {
            throw fault("`radius` must be a number of metres from 1 to 5000000")
        }
        do throws(RegionError) {
            return try Region(
                RegionName(id: id, name: name), text: name, defined: Region.standInDate(of: id),
                shape: .area(.circle(centre: centre, radius: Metres(radius))))
        } catch {
            throw fault("\(error)")
        }
    }

    /// The members of a region that a feature of GeoJSON contains; other properties have no meaning here.
    private static func fields(of feature: [String: JSONValue]) -> [String: JSONValue] {
        let properties = feature["properties"]?.members ?? [:]
        var fields: [String: JSONValue] = [:]
        fields["id"] = feature["id"] ?? properties["id"]
        fields["name"] = properties["name"]
        fields["radius"] = properties["radius"]
        let geometry = feature["geometry"]?.members
        if geometry?["type"] == .text("Point"), case .list(let numbers)? = geometry?["coordinates"], numbers.count >= 2
        {
            (fields["longitude"], fields["latitude"]) = (numbers[0], numbers[1])
        }
        return fields
    }

    private static func key(_ value: JSONValue) -> String? {
        if case .integer(let number) = value { "\(number)" } else { text(value) }
    }

    private static func text(_ value: JSONValue) -> String? {
        if case .text(let text) = value { text } else { nil }
    }

    private static func fault(_ number: Int, named name: String? = nil, _ words: String) -> ControlError {
        ControlError("region \(number)\(name.map { " (`\($0.printable(limit: 60))`)" } ?? ""): \(words).")
    }
}
