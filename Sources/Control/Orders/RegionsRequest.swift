import Formats
import JSON
import Quantities
import Store
package import Tracking

/// Only servers send it, and trackerd itself with a fetched list.
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
        let after = change.after
        var sentences = ["The tracker stores \(regions.count == 1 ? "1 region" : "\(regions.count) regions")."]
        let hidden = after.hiddenRegionCount(of: list.target)
        if hidden > 0 {
            sentences.append(
                "It does not watch \(hidden) of them, because another region or waypoint has the same key or name.")
        }
        if !after.watchesServerRegions {
            sentences.append("It watches none of them, because `syncGeofences` is off or `syncGeofencesLimit` is 0.")
        }
        return change.outcome(sentences.joined(separator: " "))
    }
}
