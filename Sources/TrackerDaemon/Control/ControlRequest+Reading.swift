import Compatibility
import FoundationEssentials
import Quantities
import Tracking
import TrackingOptions

extension ControlRequest {
    /// A line of a client, taken apart.
    struct Line: Sendable {
        /// What the client marked it with, to know the answer by.
        let id: String?
        /// What it asks for, or what is wrong with it.
        let request: Result<ControlRequest, ControlRefusal>
    }

    /// Reads a line: a JSON object with the word of the request, and what else belongs to that.
    static func read(_ line: [UInt8]) -> Line {
        guard let json = try? JSONDecoder().decode(JSONTree.self, from: Data(line)),
            case .mapping(let entries) = json.tree
        else {
            let text = #"this is no JSON object. Send one a line, such as {"request":"status"}."#
            return Line(id: nil, request: .failure(ControlRefusal(text)))
        }
        var reader = RequestReader(entries)
        let id = reader.text("id")
        guard let word = reader.necessaryText("request") else {
            let text = #"`request` is missing. Write it such as {"request":"status"}."#
            return Line(id: id, request: .failure(ControlRefusal(text)))
        }
        guard let read = readers.first(where: { $0.word == word })?.read else {
            return Line(id: id, request: .failure(ControlRefusal(unknown(word))))
        }
        let request = read(&reader)
        let problem = reader.finish()
        guard let request, problem == nil else {
            let text = problem ?? "`\(word)` is not whole."
            return Line(id: id, request: .failure(ControlRefusal("\(word): \(text)")))
        }
        return Line(id: id, request: .success(request))
    }

    /// The words, in the order of the document.
    static var words: [String] { readers.map(\.word) }

    private static let readers: [(word: String, read: @Sendable (inout RequestReader) -> ControlRequest?)] = [
        ("status", { _ in .status }),
        ("locate", { .locate(action(&$0)) }),
        ("move", { _ in .move }),
        ("stay", { _ in .stay }),
        ("mode", { mode(&$0).map(ControlRequest.mode) }),
        ("tracking start", { .startTracking(options(&$0)) }),
        ("tracking stop", { _ in .stopTracking }),
        ("tracking show", { _ in .showTracking }),
        ("trip start", { .startTrip(trip(&$0)) }),
        ("trip end", { _ in .endTrip }),
        ("region list", { _ in .regions }),
        ("waypoint list", { _ in .waypoints }),
        ("waypoint set", { waypoint(&$0).map(ControlRequest.setWaypoint) }),
        ("waypoint remove", { $0.necessaryText("name").map(ControlRequest.removeWaypoint) }),
        ("waypoint clear", { _ in .clearWaypoints }),
        ("odometer", { _ in .odometer }),
        ("odometer set", { metres(&$0).map(ControlRequest.setOdometer) }),
        ("tag", { .tag($0.text("tag")) }),
        ("queue", { _ in .queue }),
        ("queue retry", { .retryQueue(retry(&$0)) }),
    ]

    private static func unknown(_ word: String) -> String {
        let hint = Spelling.nearest(to: word, among: words).map { "Did you mean `\($0)`?" }
        return "`\(word.printable(limit: 100))` is not a request. \(hint ?? "Known: \(words.joined(separator: ", ")).")"
    }
}

/// What belongs to the requests.
extension ControlRequest {
    private static func action(_ reader: inout RequestReader) -> ActionParameters {
        ActionParameters(
            actionType: reader.text("actionType"), actionLog: reader.note("actionLog"),
            actionId: reader.text("actionId"), actionDuration: reader.text("actionDuration"),
            additionalLog: reader.note("additionalLog"))
    }

    private static func mode(_ reader: inout RequestReader) -> MonitoringMode? {
        guard let text = reader.necessaryText("mode") else { return nil }
        let mode = MonitoringMode.allCases.first { $0.name == text || "\($0.rawValue)" == text }
        if mode == nil {
            let names = MonitoringMode.allCases.map(\.name).joined(separator: ", ")
            reader.complain("`mode` must be one of \(names), or its number from -1 to 2; `\(text)` is not.")
        }
        return mode
    }

    /// A whole layer: it hides the profile and the options of the file.
    private static func options(_ reader: inout RequestReader) -> OptionLayer? {
        let name = reader.text("name") ?? "tracking start"
        guard let entries = reader.object("options") else { return nil }
        let reading = OptionReader.read(entries, path: "options") { _ in name }
        for problem in reading.problems { reader.complain(problem.text) }
        return .custom(reading, name: name)
    }

    private static func trip(_ reader: inout RequestReader) -> TripReport {
        var lines: [TripReport.Entry] = []
        let tripID = reader.text("tripId")
        let entries = reader.object("metadata") ?? []
        if entries.count > mostMetadata { reader.complain("`metadata` has more than \(mostMetadata) keys.") }
        for entry in entries.prefix(mostMetadata) where reader.accept(entry.key, as: "metadata") {
            let key = "metadata.\(entry.key)"
            switch entry.value {
            case .text(let text): if reader.accept(text, as: key) { lines.append(.init(key: entry.key, value: text)) }
            case .empty: lines.append(.init(key: entry.key, value: ""))
            case .mapping, .list: reader.complain("`\(key)` must be a text.")
            }
        }
        return TripReport(externalID: tripID, metadata: lines)
    }

    /// Each record of the trip's start and end holds all of them.
    private static let mostMetadata = 64

    private static func waypoint(_ reader: inout RequestReader) -> WaypointOrder? {
        let name = reader.necessaryText("name")
        let latitude = reader.number("latitude", -90...90)
        let longitude = reader.number("longitude", -180...180)
        let radius = reader.number("radius", -5_000_000...5_000_000)
        let uuid = reader.text("uuid")
        let (major, minor) = (reader.short("major"), reader.short("minor"))
        if (latitude == nil) != (longitude == nil) { reader.complain("`latitude` and `longitude` go together.") }
        let beacon = uuid.flatMap { BeaconIdentity(ownTracksUUID: $0, major: major ?? 0, minor: minor ?? 0) }
        if uuid != nil, beacon == nil { reader.complain("`uuid` must be 32 hexadecimal digits, as 8-4-4-4-12.") }
        guard let name else { return nil }
        let place = latitude.flatMap { latitude in
            longitude.flatMap { Coordinate(latitude: latitude, longitude: $0) }
        }
        return WaypointOrder(name: name, place: place, radius: radius.map(Metres.init), beacon: beacon)
    }

    private static func retry(_ reader: inout RequestReader) -> QueueRetry {
        let target = reader.text("target")
        let words = (reader.text("sequences") ?? "").split { $0 == "," || $0 == " " }
        let sequences = words.compactMap { Int64($0) }
        if sequences.count < words.count {
            reader.complain("`sequences` must be numbers of records with commas in between.")
        }
        return QueueRetry(target: target, sequences: sequences)
    }

    private static func metres(_ reader: inout RequestReader) -> Metres? {
        // Half way to the moon: no vehicle gets further.
        guard let metres = reader.number("metres", 0...200_000_000_000) else {
            reader.complain("`metres` is what the odometer is to show.")
            return nil
        }
        return Metres(metres)
    }
}
