/// They replace all earlier regions of this server.
package struct ServerRegions: Sendable, Hashable {
    package static let most = 1000

    package let target: String
    /// In the server's order.
    package let regions: [Region]

    package init(target: String, regions: [Region]) { (self.target, self.regions) = (target, regions) }
}

package enum RegionOrigin: Sendable, Hashable {
    case configuration
    case waypoint
    case server(target: String)
}

extension [ServerRegions] {
    /// In place of its target's earlier list; ordered by the names of the targets.
    package func replacing(with list: ServerRegions) -> [ServerRegions] {
        (filter { $0.target != list.target } + [list]).filter { !$0.regions.isEmpty }.sorted { $0.target < $1.target }
    }

    /// Those without a key or name of `others` or of an earlier list: a server can neither replace nor imitate a region of the
    /// owner or of another server.
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
