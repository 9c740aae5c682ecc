import Configuration
import Quantities
import Store
import Tracking
import Upload

/// `regions`: replace all regions of the server.
///
/// Only servers send this request, and trackerd makes it from a list that it has fetched.
package struct RegionsRequest: ControlRequest {
    static let regionsKey = ControlKey("regions", "a list of regions, or a FeatureCollection of GeoJSON")
    package static let manual = ControlManual(
        "regions", "Replaces all regions of the server.", keys: [regionsKey], command: "")

    let regions: [Region]

    package init?(_ reader: inout RequestReader) {
        guard let value = reader.json(Self.regionsKey) else {
            reader.note("`regions` is missing.")
            return nil
        }
        do throws(RegionListError) {
            regions = try RegionList.read(value)
        } catch {
            reader.note(error.description)
            return nil
        }
    }

    package func run(in session: ControlSession) -> ControlOutcome? {
        let list = ServerRegions(target: session.order?.target ?? "", regions: regions)
        session.tracker.performer.replace([list])
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

extension Tracker {
    /// Passes the stored regions of servers to the engine, except those of servers that may not send regions any more.
    func followServerRegions(at now: Instant) {
        let lists = (performer.serverRegions ?? engine.serverRegions).filter {
            remoteControl.permits(.regions, to: $0.target)
        }
        if lists != engine.serverRegions { handle(.serverRegions(lists), at: now) }
    }
}

extension EffectPerformer {
    /// The stored regions of servers; nil if the file is unavailable.
    var serverRegions: [ServerRegions]? { queue.serverRegions }

    /// Replaces the stored regions of servers with the next commit; the regions of other servers remain.
    func replace(_ lists: [ServerRegions]) { for list in lists { queue.replace(list) } }
}
