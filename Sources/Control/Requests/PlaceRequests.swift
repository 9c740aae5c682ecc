package import Quantities
package import Tracking
import TrackingOptions

package struct ListRegionsRequest: KeylessRequest {
    package static let isReading = true
    package static let manual = ControlManual(
        "region list",
        "Lists the watched places: those of the configuration, the nearest regions of servers, and waypoints with a radius or a beacon.",
        command: "`trackerd region list`", response: "a list of the watched places")

    package func run(in session: any Session) -> [ControlRegion]? {
        let inside = Set(session.engine.regionsInside.map(\.id))
        return session.engine.watchedRegions.map { region in
            let signal = session.engine.beaconReading(of: region.id, at: session.now)
            return ControlRegion(
                region, session.engine.origin(of: region), isInside: inside.contains(region.id), signal)
        }
    }
}

package struct ControlRegion: Codable, Sendable, Hashable {
    package let id: String
    package let name: String
    package let origin: String
    /// The target whose server has set the region; nil for a region of another origin.
    package let target: String?
    package let kind: String
    package let lat: Double?
    package let lon: Double?
    package let radius_m: Double?
    package let uuid: String?
    package let inside: Bool
    /// The smoothed signal strength; nil without a beacon, or out of range.
    package let rssi_dbm: Double?
    package let proximity: String?

    fileprivate init(_ region: Region, _ origin: RegionOrigin, isInside: Bool, _ signal: BeaconReading?) {
        id = region.id
        name = region.name.name
        uuid = region.shape.beacon?.uuid
        inside = isInside
        switch origin {
        case .configuration: (self.origin, target) = ("configuration", nil)
        case .waypoint: (self.origin, target) = ("waypoint", nil)
        case .server(let name): (self.origin, target) = ("server", name)
        }
        rssi_dbm = signal?.rssi.tenths
        proximity = signal?.proximity.rawValue
        switch region.shape.area {
        case .circle(let centre, let radius):
            (kind, lat, lon, radius_m) = ("circle", centre.latitude, centre.longitude, radius.value)
        case .polygon: (kind, lat, lon, radius_m) = ("polygon", nil, nil, nil)
        case nil: (kind, lat, lon, radius_m) = ("beacon", nil, nil, nil)
        }
    }
}

package struct ListWaypointsRequest: KeylessRequest {
    package static let isReading = true
    package static let permission: RemotePermission? = .waypoints
    package static let manual = ControlManual(
        "waypoint list", "Lists the waypoints.", command: "`trackerd waypoint list`",
        response: "a list of the waypoints")

    package func run(in session: any Session) -> [ControlWaypoint]? {
        // The answer to a server reaches all targets, so it has only the waypoints that messages may contain.
        session.engine.state.regions.waypoints.filter { session.server == nil || $0.isTold }.map(ControlWaypoint.init)
    }
}

/// A waypoint with the keys of OwnTracks.
package struct ControlWaypoint: Codable, Sendable, Hashable {
    package let desc: String
    package let lat: Double?
    package let lon: Double?
    /// The radius in metres.
    package let rad: Double?
    package let uuid: String?
    package let major: UInt16?
    package let minor: UInt16?
    /// When the waypoint was made, in seconds since 1970.
    package let tst: Int64
    package let rid: String
    /// True if messages contain the waypoint and its name.
    package let shared: Bool

    fileprivate init(_ waypoint: Waypoint) {
        desc = waypoint.text
        lat = waypoint.coordinate?.latitude
        lon = waypoint.coordinate?.longitude
        rad = waypoint.radius?.value
        uuid = waypoint.beacon?.uuid
        major = waypoint.beacon?.major
        minor = waypoint.beacon?.minor
        tst = waypoint.defined.seconds
        rid = waypoint.key
        shared = waypoint.isTold
    }
}

package struct SetWaypointRequest: ControlRequest {
    package static let nameKey = ControlKey(
        "name", "the name; a place with an empty name is stored, but neither published nor watched")
    package static let latitude = ControlKey(
        "latitude", "degrees north, by default of the existing waypoint or of the vehicle")
    package static let longitude = ControlKey("longitude", "degrees east, required with `latitude`")
    package static let radiusKey = ControlKey(
        "radius", "the radius in metres (0: no circle; negative: the waypoint follows its beacon)"
    )
    package static let uuid = ControlKey("uuid", "the beacon's UUID")
    package static let major = ControlKey("major", "the beacon's major number, by default any")
    package static let minor = ControlKey("minor", "the beacon's minor number, by default any")
    package static let shared = ControlKey(
        "shared", "whether servers receive the waypoint and its name; by default true"
    )
    package static let automatic = ControlKey(
        "automatic", "true: the waypoint is neither published nor watched; by default false")
    package static let tst = ControlKey(
        "tst",
        "the time of definition, in seconds since 1970; replaces the waypoint with this time, not the one with this name"
    )
    package static let rid = ControlKey(
        "rid", "the key of the waypoint, by default that of the existing one, or else `tst`")
    package static let permission: RemotePermission? = .waypoints
    package static let manual = ControlManual(
        "waypoint set", "Sets a waypoint; the tracker watches it if it has a radius or a beacon.",
        keys: [nameKey, latitude, longitude, radiusKey, uuid, major, minor, shared, automatic, tst, rid],
        command: "`trackerd waypoint set`, `trackerd region set`")

    /// The limit bounds the size of a record, which names the regions around the vehicle.
    static let mostWaypoints = 200

    package let name: String
    /// Nil keeps the earlier place, or takes that of the vehicle.
    package let place: Coordinate?
    /// Nil keeps the earlier radius.
    package let radius: Metres?
    package let beacon: BeaconIdentity?
    /// Nil keeps the earlier value.
    package let isShared: Bool?
    /// True if a program made the waypoint; nil keeps the earlier value.
    let isAutomatic: Bool?
    /// The time that identifies the waypoint in OwnTracks; nil: its name does.
    private let defined: Timestamp?
    /// Nil keeps the earlier key.
    private let id: String?

    package init?(_ reader: inout RequestReader) {
        let name = reader.necessaryText(Self.nameKey, orEmpty: true)
        let latitude = reader.number(Self.latitude, -90...90)
        let longitude = reader.number(Self.longitude, -180...180)
        let radius = reader.number(Self.radiusKey, -5_000_000...5_000_000)
        let uuid = reader.text(Self.uuid)
        let (major, minor) = (reader.short(Self.major), reader.short(Self.minor))
        if reader.has(Self.latitude) != reader.has(Self.longitude) {
            reader.note("Send `latitude` and `longitude` together.")
        }
        beacon = uuid.flatMap { BeaconIdentity(ownTracksUUID: $0, major: major ?? 0, minor: minor ?? 0) }
        (isShared, isAutomatic) = (reader.flag(Self.shared), reader.flag(Self.automatic))
        if uuid != nil, beacon == nil { reader.note("`uuid` must have 32 hexadecimal digits in the form 8-4-4-4-12.") }
        defined = reader.number(Self.tst, 0...4_102_444_800).map { Timestamp(milliseconds: Int64($0) * 1000) }
        id = reader.text(Self.rid)
        guard let name else { return nil }
        self.name = name
        place = latitude.flatMap { latitude in
            longitude.flatMap { Coordinate(latitude: latitude, longitude: $0) }
        }
        self.radius = radius.map(Metres.init)
    }

    package func check(in session: any Session) throws(ControlError) {
        _ = try waypoint(in: session)
    }

    package func run(in session: any Session) throws(ControlError) -> ControlOutcome? {
        let waypoint = try waypoint(in: session)
        // Under a new key, the region of the old key would remain.
        if let former = earlier(in: session), former.key != waypoint.key {
            _ = session.handle(.command(.forgetWaypoint(former.key)))
        }
        let change = session.handle(.command(.waypoint(waypoint)))
        guard waypoint.isMarked else {
            return change.outcome("The tracker stores the place, but neither publishes nor watches it.")
        }
        let watching: String
        switch try? waypoint.watching() {
        case .region(let region) where region.shape.trigger == .beacon && !change.after.usesBeacons:
            watching = "; the tracker does not receive its beacon, because `beacons: false` switches scanning off"
        case .region: watching = " and watched"
        case .follow: watching = " as a circle that moves with the vehicle"
        case .nothing, nil:
            watching = "; the tracker does not watch it, because it has neither a positive radius nor a beacon"
        }
        let publication = waypoint.isTold ? "" : " The tracker does not publish it."
        return change.outcome("`\(name)` is set\(watching).\(publication)")
    }

    private func earlier(in session: any Session) -> Waypoint? {
        session.engine.state.regions.waypoints.first { known in
            if let defined { known.defined.seconds == defined.seconds } else { !name.isEmpty && known.text == name }
        }
    }

    /// Returns the waypoint to store; by default it has the key of the one that it changes.
    private func waypoint(in session: any Session) throws(ControlError) -> Waypoint {
        let (engine, time) = (session.engine, session.time)
        let known = engine.state.regions.waypoints
        let earlier = earlier(in: session)
        guard earlier != nil || known.count < Self.mostWaypoints else {
            throw ControlError(
                "the tracker has \(known.count) waypoints, which is the maximum. Remove one with `trackerd waypoint remove`."
            )
        }
        let place = place ?? earlier?.coordinate ?? engine.lastKnownLocation?.coordinate
        guard place != nil || beacon != nil else {
            throw ControlError(
                """
                the vehicle's position is unknown, or `trackLastKnownLocation` is off. Set a position with \
                `--at LATITUDE,LONGITUDE`, or with `latitude` and `longitude` in a request.
                """)
        }
        // In OwnTracks, the key of a waypoint is the second in which the waypoint was set.
        var now = Timestamp(milliseconds: time.seconds * 1000)
        while known.contains(where: { $0.key == String(now.seconds) }) { now = now + .seconds(1) }
        let waypoint = Waypoint(
            text: name, coordinate: place, radius: radius ?? earlier?.radius, beacon: beacon ?? earlier?.beacon,
            defined: earlier?.defined ?? defined ?? now, id: id ?? earlier?.id,
            isAutomatic: isAutomatic ?? earlier?.isAutomatic ?? false, isShared: isShared ?? earlier?.isShared ?? true,
            server: session.server)
        do throws(RegionError) {
            _ = try waypoint.watching()
        } catch {
            throw ControlError("\(error)")
        }
        return waypoint
    }
}

package struct RemoveWaypointRequest: ControlRequest {
    package static let nameKey = ControlKey("name", "the name of the waypoint, or its key (`rid`)")
    package static let permission: RemotePermission? = .waypoints
    package static let manual = ControlManual(
        "waypoint remove", "Removes a waypoint.", keys: [nameKey],
        command: "`trackerd waypoint remove`, `trackerd region remove`")
    package let name: String

    package init?(_ reader: inout RequestReader) {
        guard let name = reader.necessaryText(Self.nameKey) else { return nil }
        self.name = name
    }

    package func run(in session: any Session) throws(ControlError) -> ControlOutcome? {
        let key = try key(in: session.engine.state.regions.waypoints)
        return session.handle(.command(.forgetWaypoint(key))).outcome("`\(name)` is removed.")
    }

    private func key(in waypoints: [Waypoint]) throws(ControlError) -> String {
        if let waypoint = waypoints.first(where: { $0.key == name || $0.text == name }) { return waypoint.key }
        let hint = Spelling.nearest(to: name, among: waypoints.map(\.text)).map { " Did you mean `\($0)`?" }
        let rest =
            " Run `trackerd waypoint list` to list all waypoints. To remove a configured region, edit the configuration file."
        throw ControlError("`\(name)` is not a waypoint.\(hint ?? rest)")
    }
}

package struct ClearWaypointsRequest: KeylessRequest {
    package static let permission: RemotePermission? = .waypoints
    package static let manual = ControlManual(
        "waypoint clear", "Removes all waypoints.", command: "`trackerd waypoint clear`")

    package func run(in session: any Session) -> ControlOutcome? {
        session.handle(.command(.clearWaypoints)).outcome("The tracker removed all waypoints.")
    }
}
