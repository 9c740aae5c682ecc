import Tracking
import Yams

/// The keys of one entry of `beacons`, and those of a beacon wherever one is named.
enum BeaconEntry {
    /// Reads the section: the beacons that tell which vehicle this is, and who drives it.
    static func readAll(_ file: inout MappingReader) -> [MarkedBeacon] {
        file.list("beacons").enumerated().compactMap { index, node in
            read(node, number: index + 1, problems: file.problems)
        }
    }

    /// Reads which beacon is meant; notes what is wrong with it.
    static func identity(_ reader: inout MappingReader) -> BeaconIdentity? {
        let numbers = ["major", "minor"].map { reader.integer($0, 0...65_535).map(UInt16.init) }
        guard let uuid = reader.string("uuid"), let node = reader.child("uuid") else {
            reader.missing("uuid", "Write the UUID that the beacon sends.")
            return nil
        }
        guard var beacon = BeaconIdentity(ownTracksUUID: uuid, major: 0, minor: 0) else {
            return reader.wrong("uuid", node, "a UUID of 32 hexadecimal digits, as 8-4-4-4-12")
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
        reader.missing("name", "Write what the vehicle or the driver is called, such as `name: van1`.")
        reader.missing("role", "Write `role: vehicle` or `role: driver`.")
        guard let beacon, let name, let role else { return nil }
        return MarkedBeacon(beacon, name: name, role: role)
    }
}
