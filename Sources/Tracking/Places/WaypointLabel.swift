import TrackingOptions

/// What OwnTracks writes into the description of a waypoint beside its name.
struct WaypointLabel: Sendable, Hashable {
    /// What people call it.
    private(set) var name: String
    /// From `name:UUID:major:minor`, where the numbers may be left out and 0 means any.
    private(set) var beacon: BeaconIdentity?
    /// From `-name`: short losses do not count.
    private(set) var holdsDown = false
    /// From `name|1|2`: the mode to switch to on entering.
    private(set) var modeOnEnter: MonitoringMode?
    /// From `name|1|2`: the mode to switch to on leaving.
    private(set) var modeOnLeave: MonitoringMode?
    /// From `+60follow`: the time to which the size of a circle that moves along corresponds.
    private(set) var lead: Duration?

    /// Reads a description; what has none of these forms is a name.
    init(_ text: String) {
        name = text
        takeModes()
        takeBeacon()
        if modeOnEnter == nil { takeModes() }
        takePrefix()
        if name.isEmpty { name = text }
    }

    private mutating func takeModes() {
        let parts = name.split(separator: "|", omittingEmptySubsequences: false)
        guard parts.count >= 3, let enter = Self.mode(parts[parts.count - 2]),
            let leave = Self.mode(parts[parts.count - 1])
        else { return }
        (modeOnEnter, modeOnLeave) = (enter, leave)
        name = parts.dropLast(2).joined(separator: "|")
    }

    private mutating func takeBeacon() {
        let parts = name.split(separator: ":", omittingEmptySubsequences: false)
        guard let index = parts.lastIndex(where: { BeaconIdentity.isUUID($0.lowercased()) }), index > 0 else { return }
        let numbers = parts[(index + 1)...].map { UInt16($0) }
        guard numbers.count <= 2, !numbers.contains(nil) else { return }
        let padded = numbers.compactMap { $0 } + [0, 0]
        beacon = BeaconIdentity(ownTracksUUID: String(parts[index]), major: padded[0], minor: padded[1])
        name = parts[..<index].joined(separator: ":")
    }

    private mutating func takePrefix() {
        if name.hasPrefix("-") {
            holdsDown = true
            name.removeFirst()
        } else if name.hasPrefix("+") {
            let seconds = Int(name.dropFirst().prefix { $0.isASCII && $0.isNumber }) ?? 0
            lead = seconds > 0 ? .seconds(seconds) : FollowRegion.usualLead
        }
    }

    private static func mode(_ text: Substring) -> MonitoringMode? { Int(text).flatMap(MonitoringMode.init) }
}
