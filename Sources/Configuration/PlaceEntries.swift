import Quantities
import Tracking
import Yams

package enum RegionEntry {
    /// trackerd records the entries and exits of `watched`; in the private places `hidden`, it records no position.
    static func readAll(_ file: inout MappingReader) -> (watched: [Region], hidden: [PrivatePlace]) {
        var places: (watched: [Region], hidden: [PrivatePlace]) = ([], [])
        for (index, node) in file.list("regions").enumerated() {
            let path = "regions[\(index + 1)]"
            guard var reader = MappingReader(node, path: path, problems: file.problems) else { continue }
            let isPrivate = reader.flag("private") ?? false
            guard let region = read(node, &reader) else { continue }
            if isPrivate {
                if let place = hidden(region, at: node, file.problems) { places.hidden.append(place) }
                continue
            }
            if places.watched.contains(where: { $0.id == region.id }) {
                file.problems.add(
                    "two regions have the key `\(region.id)`. Give each region its own `name` or `id`.", at: node)
            }
            places.watched.append(region)
        }
        return places
    }

    private static func hidden(_ region: Region, at node: Node, _ problems: ProblemList) -> PrivatePlace? {
        if case .circle(let centre, let radius) = region.shape.area {
            return PrivatePlace(centre: centre, radius: radius)
        }
        problems.add(
            "the private region `\(region.name.name)` is not a circle. Give it `latitude`, `longitude` and `radius`.",
            at: node)
        return nil
    }

    private static func read(_ node: Node, _ reader: inout MappingReader) -> Region? {
        let problems = reader.problems
        let name = reader.name("name")
        let isShared = reader.flag("shared") ?? true
        let id = reader.name("id") ?? (isShared ? name : name.map { String(Region.standInDate(of: $0).seconds) })
        let description = reader.name("description") ?? name
        let text = isShared ? description : nil
        let defined = reader.integer("tst", 0...Int(UInt32.max)).map { Timestamp(milliseconds: Int64($0) * 1000) }
        var options = Region.Options()
        options.dwell = reader.duration("dwell", .seconds(1) ... .seconds(86_400))
        options.rssiLimit = reader.integer("rssi", -127...20).map(Int8.init)
        let shape = shape(&reader, of: name ?? "")
        reader.finish()
        reader.missing("name", "Write the name of the place, such as `name: Depot`.")
        guard let name, let id, let shape else { return nil }
        do throws(RegionError) {
            return try Region(
                RegionName(id: id, name: name), text: text, defined: defined ?? Region.standInDate(of: id),
                shape: shape, options: options)
        } catch {
            problems.add("\(error)", at: node)
            return nil
        }
    }

    private static func shape(_ reader: inout MappingReader, of region: String) -> RegionShape? {
        let latitude = reader.number("latitude", -90...90)
        let longitude = reader.number("longitude", -180...180)
        let given = ["radius", "polygon", "beacon"].filter { reader.child($0) != nil }
        if given.isEmpty, latitude != nil, longitude != nil {
            reader.missing("radius", "Write the radius in metres, such as `radius: 100`.")
            return nil
        }
        guard given.count == 1 else {
            let words = "one of `polygon`, `beacon`, or `radius` with `latitude` and `longitude`"
            reader.problems.add(
                "a region needs exactly \(words); this region has \(given.count) of the three.", at: reader.node)
            return nil
        }
        switch given[0] {
        case "radius": return circle(&reader, latitude: latitude, longitude: longitude)
        case "polygon": return polygon(&reader, of: region)
        default: return reader.mapping("beacon") { BeaconEntry.identity(&$0) }.map(RegionShape.beacon)
        }
    }

    private static func circle(_ reader: inout MappingReader, latitude: Double?, longitude: Double?) -> RegionShape? {
        let radius = reader.number("radius", 1...5_000_000, unit: " of metres")
        reader.missing("latitude", "Write the degrees north, such as `latitude: 52.52`.")
        reader.missing("longitude", "Write the degrees east, such as `longitude: 13.405`.")
        guard let latitude, let longitude, let radius else { return nil }
        return Coordinate(latitude: latitude, longitude: longitude).map {
            .area(.circle(centre: $0, radius: Metres(radius)))
        }
    }

    private static func polygon(_ reader: inout MappingReader, of region: String) -> RegionShape? {
        var points: [Coordinate] = []
        for node in reader.list("polygon") {
            let numbers = node.sequence?.compactMap(\.float) ?? []
            guard numbers.count == 2, node.sequence?.count == 2,
                let point = Coordinate(latitude: numbers[0], longitude: numbers[1])
            else { return reader.wrong("polygon", node, "a list of points, each `[latitude, longitude]` in degrees") }
            points.append(point)
        }
        do throws(RegionError) {
            return .area(try Region.polygon(points, of: region))
        } catch {
            reader.problems.add("\(error)", at: reader.node.mapping?["polygon"] ?? reader.node)
            return nil
        }
    }
}

/// `identity` also reads the beacon of a region.
enum BeaconEntry {
    static func readAll(_ file: inout MappingReader) -> [MarkedBeacon] {
        file.list("beacons").enumerated().compactMap { index, node in
            read(node, number: index + 1, problems: file.problems)
        }
    }

    static func identity(_ reader: inout MappingReader) -> BeaconIdentity? {
        let numbers = ["major", "minor"].map { reader.integer($0, 0...65_535).map(UInt16.init) }
        guard let uuid = reader.string("uuid"), let node = reader.child("uuid") else {
            reader.missing("uuid", "Write the UUID that the beacon sends.")
            return nil
        }
        guard var beacon = BeaconIdentity(ownTracksUUID: uuid, major: 0, minor: 0) else {
            return reader.wrong("uuid", node, "a UUID of 32 hexadecimal digits in the form 8-4-4-4-12")
        }
        (beacon.major, beacon.minor) = (numbers[0], numbers[1])
        return beacon
    }

    private static func read(_ node: Node, number: Int, problems: ProblemList) -> MarkedBeacon? {
        guard var reader = MappingReader(node, path: "beacons[\(number)]", problems: problems) else { return nil }
        let beacon = identity(&reader)
        let name = reader.name("name")
        let role = reader.word("role", MarkedBeacon.Role.self)
        reader.finish()
        reader.missing("name", "Write the name of the vehicle or the driver, such as `name: van1`.")
        reader.missing("role", "Write `role: vehicle` or `role: driver`.")
        guard let beacon, let name, let role else { return nil }
        return MarkedBeacon(beacon, name: name, role: role)
    }
}
