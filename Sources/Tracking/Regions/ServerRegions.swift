/// The regions that a target's server has sent, which replace all earlier regions of this server.
package struct ServerRegions: Sendable, Hashable {
    /// The largest number of regions of one server.
    package static let most = 1000

    package let target: String
    /// The regions, in the order of the server.
    package let regions: [Region]

    package init(target: String, regions: [Region]) { (self.target, self.regions) = (target, regions) }
}

package enum RegionOrigin: Sendable, Hashable {
    /// The owner has defined the region in the configuration.
    case configuration
    case waypoint
    /// The server of this target has sent the region.
    case server(target: String)
}

extension [ServerRegions] {
    /// Returns the lists with `list` in place of the earlier list of its target, ordered by the names of the targets.
    package func replacing(with list: ServerRegions) -> [ServerRegions] {
        (filter { $0.target != list.target } + [list]).filter { !$0.regions.isEmpty }.sorted { $0.target < $1.target }
    }

    /// Returns the regions that share neither the key nor the name with a region in `others` or in an earlier list.
    ///
    /// So a server can neither replace nor imitate a region of the owner or of another server.
    func distinct(from others: [RegionName]) -> [(target: String, region: Region)] {
        guard !isEmpty else { return [] }
        var keys = Set(others.map(\.id))
        var names = Set(others.map(\.name))
        var found: [(target: String, region: Region)] = []
        for list in self {
            let distinct = list.regions.filter { !keys.contains($0.id) && !names.contains($0.name.name) }
            found += distinct.map { (list.target, $0) }
            keys.formUnion(distinct.map(\.id))
            names.formUnion(distinct.map(\.name.name))
        }
        return found
    }
}
