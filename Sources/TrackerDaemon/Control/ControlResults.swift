import Quantities
import StopDetection
package import Tracking
import TrackingOptions

/// What came of an order.
package struct ControlOutcome: Codable, Sendable, Hashable {
    /// What came of it, in a sentence.
    package let text: String
    /// Whether it would survive a power cut now.
    package let on_disk: Bool
    /// The records that came of it.
    package let records: [ControlRecord]
}

/// A record, told in short.
package struct ControlRecord: Codable, Sendable, Hashable {
    package let sequence: Int64
    package let uuid: String
    package let kind: String
    package let time: String
    package let location: Status.Location?

    /// Takes it out of a record.
    init(_ stored: StoredRecord) {
        sequence = stored.sequence
        uuid = stored.uuid
        kind = stored.record.kind.rawValue
        time = stored.record.time.description
        location = stored.record.position.map(Status.Location.init)
    }
}

/// The answer to `locate`: the record, and what the asker wanted to be kept with it.
package struct ControlLocation: Codable, Sendable, Hashable {
    package let record: ControlRecord
    package let on_disk: Bool
    /// From the request to the answer.
    package let took_s: Double
    package let action: ActionParameters

    /// Takes it out of the record that answers a request.
    init(_ stored: StoredRecord, _ answer: RequestAnswer, isOnDisk: Bool) {
        record = ControlRecord(stored)
        on_disk = isOnDisk
        took_s = answer.took.tenths
        action = answer.action ?? ActionParameters()
    }
}

/// The answer to `tracking show`.
package struct ControlTracking: Codable, Sendable, Hashable {
    /// `on`, `off`, or `outside schedule`.
    package let tracking: String
    /// Where one's own options come from; nothing when there are none.
    package let name: String?
    /// One's own options, as they would be written in a file; nothing when there are none.
    package let options: [String: String]?

    /// Takes it from the engine.
    init(_ engine: Engine) {
        tracking = engine.suspension.title
        name = engine.customOptions?.name
        options = engine.customOptions.map { layer in
            Dictionary(layer.assignments.map { ($0.key, $0.value.description) }) { _, last in last }
        }
    }
}

/// A place that is watched, as `region list` answers it.
package struct ControlRegion: Codable, Sendable, Hashable {
    package let id: String
    package let name: String
    /// `circle`, `polygon` or `beacon`.
    package let kind: String
    package let lat: Double?
    package let lon: Double?
    package let radius_m: Double?
    package let uuid: String?
    package let inside: Bool

    /// Takes it from a region.
    init(_ region: Region, isInside: Bool) {
        id = region.id
        name = region.name.name
        uuid = region.shape.beacon?.uuid
        inside = isInside
        switch region.shape.area {
        case .circle(let centre, let radius):
            (kind, lat, lon, radius_m) = ("circle", centre.latitude, centre.longitude, radius.value)
        case .polygon: (kind, lat, lon, radius_m) = ("polygon", nil, nil, nil)
        case nil: (kind, lat, lon, radius_m) = ("beacon", nil, nil, nil)
        }
    }
}

/// A waypoint, as `waypoint list` answers it, under the names that OwnTracks has for its parts.
package struct ControlWaypoint: Codable, Sendable, Hashable {
    package let desc: String
    package let lat: Double?
    package let lon: Double?
    /// Metres.
    package let rad: Double?
    package let uuid: String?
    package let major: UInt16?
    package let minor: UInt16?
    /// When it was made, in seconds since 1970.
    package let tst: Int64
    package let rid: String

    /// Takes it from a waypoint.
    init(_ waypoint: Waypoint) {
        desc = waypoint.text
        lat = waypoint.coordinate?.latitude
        lon = waypoint.coordinate?.longitude
        rad = waypoint.radius?.value
        uuid = waypoint.beacon?.uuid
        major = waypoint.beacon?.major
        minor = waypoint.beacon?.minor
        tst = waypoint.defined.seconds
        rid = waypoint.key
    }
}

/// The answer to `odometer`.
package struct ControlOdometer: Codable, Sendable, Hashable {
    package let odometer_m: Double
}
