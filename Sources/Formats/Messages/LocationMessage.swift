internal import JSON
internal import Quantities
internal import Tracking
internal import TrackingOptions

/// Booklet: tech/json, `_type=location`.
struct LocationMessage {
    let stored: StoredRecord
    let position: Position
    /// The letter of the trigger; nil for a usual location.
    let trigger: String?
    /// The name on maps.
    let tid: String
    /// Nil over MQTT, where the message does not contain its topic.
    var topic: String?

    var body: [UInt8]? {
        var writer = JSONWriter(capacity: 512)
        do { try writer.write(Self.members, of: self) } catch { return nil }
        return writer.bytes
    }

    private typealias Member = JSONMember<LocationMessage>
    private typealias Value = Member.Value

    private static let members = [
        Member("_type") { _ in .text("location") },
        Member("_id") { .text($0.stored.uuid) },
        Member("topic") { Value($0.topic) },
        Member("tid") { .text($0.tid) },
        Member("lat") { .number($0.position.coordinate.latitude, decimals: 7) },
        Member("lon") { .number($0.position.coordinate.longitude, decimals: 7) },
        Member("tst") { .integer($0.record.time.seconds) },
        Member("created_at") { $0.created.map { .integer($0) } },
        Member("acc") { Value($0.position.accuracy?.wholeMetres) },
        Member("alt") { Value($0.position.altitude?.value.wholeNumber) },
        Member("vac") { Value($0.position.verticalAccuracy?.wholeMetres) },
        // Kilometres an hour.
        Member("vel") { Value($0.position.speed.flatMap { ($0.value * 3.6).wholeNumber }) },
        Member("cog") { Value($0.position.course?.value.wholeNumber.map { $0 % 360 }) },
        Member("t") { Value($0.trigger) },
        Member("rty") { Value($0.record.content.harshness) },
        Member("rad") { Value($0.record.radius?.wholeMetres) },
        Member("m") { Value($0.record.mode?.rawValue) },
        Member("motion") { .flag($0.record.isMoving) },
        Member("ign") { Value($0.record.ignition) },
        Member("uext") { ($0.record.supply?.value).map { .number($0, decimals: 2) } },
        // Kilometres.
        Member("odometer") { .number($0.record.odometer.value / 1000, decimals: 3) },
        Member("tag") { Value($0.record.tag) },
        Member("inregions") { $0.record.regions.map { .json(.list($0.map { .text($0.name) })) } },
        Member("inrids") { $0.record.regions.map { .json(.list($0.map { .text($0.id) })) } },
        Member("actionType") { Value($0.action?.actionType) },
        Member("actionLog") { Value($0.action?.actionLog) },
        Member("actionId") { Value($0.action?.actionId) },
        Member("actionDuration") { Value($0.action?.actionDuration) },
        Member("additionalLog") { Value($0.action?.additionalLog) },
    ].sorted { $0.key < $1.key }

    private var record: Record { stored.record }

    private var action: ActionParameters? {
        if case .request(let answer) = record.content { answer.action } else { nil }
    }

    /// The time of creation in seconds; nil if it equals the record's time.
    private var created: Int64? {
        let seconds = stored.created.seconds
        return seconds == record.time.seconds ? nil : seconds
    }
}

extension Record.Content {
    /// Harsh driving as Queclink's devices send it; Traccar reads it with `t: h`.
    fileprivate var harshness: Int? {
        guard case .driving(let event) = self else { return nil }
        return switch event.kind {
        case .braking: 0
        case .acceleration: 1
        case .cornering: 2
        case .impact, .tow, .overspeed, .overspeedEnded: nil
        }
    }
}

extension Metres {
    /// Whole metres, at least 1, because readers of `acc`, `vac` and `rad` take 0 as unknown.
    var wholeMetres: Int? { value.wholeNumber.map { max(1, $0) } }
}

extension Double {
    /// Nil if it is not finite or out of range.
    var wholeNumber: Int? { Int(exactly: rounded()) }
}
