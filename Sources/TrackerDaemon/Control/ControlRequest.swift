import Compatibility
import Quantities
import Tracking
import TrackingOptions

/// One request of the control socket, with its name, its keys, its reader, its action and its response.
///
/// To add a request, write such a type and add it to `ControlRequests.all`. The dispatch, the reader, the help of the command line
/// and the table in docs/control.md use that list.
package protocol ControlRequest: Sendable, Hashable {
    /// The value under `result` in the reply.
    associatedtype Response: Codable

    /// The name, the keys, and the texts for help and documentation.
    static var manual: ControlManual { get }

    /// Whether the request changes nothing; then clients of the read socket may send it.
    static var isReading: Bool { get }

    /// Reads the keys of the request; returns nil if a required key is missing or wrong.
    ///
    /// If the result is nil, the reader has noted the error.
    init?(_ reader: inout RequestReader)

    /// Throws if the tracker cannot carry out the request now.
    ///
    /// The tracker checks all requests of an order before it carries out the first.
    func check(in session: ControlSession) throws(ControlError)

    /// Carries out the request; returns nil if the client receives the reply in another way, such as a stream.
    func run(in session: ControlSession) throws(ControlError) -> Response?
}

/// The texts for help and documentation of a request.
package struct ControlManual: Sendable, Hashable {
    /// The value of `request`, such as `trip start`.
    package let name: String
    /// A sentence in the third person about what the request does, for the help of its command.
    package let summary: String
    /// The keys other than `request` and `id`.
    package let keys: [ControlKey]
    /// The commands that send the request, in Markdown; empty if no command sends it.
    package let command: String
    /// The content of `result`, in Markdown.
    package let response: String

    init(
        _ name: String, _ summary: String, keys: [ControlKey] = [], command: String,
        response: String = "an outcome"
    ) {
        self.name = name
        self.summary = summary
        self.keys = keys
        self.command = command
        self.response = response
    }
}

/// A key of a request.
package struct ControlKey: Sendable, Hashable {
    /// The key in JSON.
    package let name: String
    /// The meaning of the value, for help and documentation.
    package let help: String

    init(_ name: String, _ help: String) {
        self.name = name
        self.help = help
    }
}

/// The list of requests.
package enum ControlRequests {
    /// All requests, in the order of docs/control.md.
    package static let all: [any ControlRequest.Type] = [
        StatusRequest.self, LocateRequest.self, MoveRequest.self, StayRequest.self, ModeRequest.self,
        StartTrackingRequest.self, StopTrackingRequest.self, ShowTrackingRequest.self, ResetTrackingRequest.self,
        BeginPrivacyRequest.self, EndPrivacyRequest.self, StayAwakeRequest.self, EndAwakeRequest.self,
        ShowOptionsRequest.self, ReloadRequest.self, RestartRequest.self, StartTripRequest.self,
        EndTripRequest.self, ListRegionsRequest.self, ListWaypointsRequest.self, SetWaypointRequest.self,
        RemoveWaypointRequest.self, ClearWaypointsRequest.self, OdometerRequest.self, SetOdometerRequest.self,
        TagRequest.self, QueueRequest.self, RetryQueueRequest.self, DropQueueRequest.self, NameTripRequest.self,
        PurgeTripRequest.self, RecordRequest.self, WatchRequest.self, ListTripsRequest.self, TrackRequest.self,
        WhyRequest.self, DoctorRequest.self,
    ]
}

/// A line of a client: a JSON object with the name of a request and its keys.
struct ControlLine {
    /// The client's own ID for the request, which the reply repeats.
    let id: String?
    /// The request, or the errors in the line.
    let request: Result<any ControlRequest, ControlError>

    /// Reads a line as one of `requests`.
    init(_ line: [UInt8], among requests: [any ControlRequest.Type]) {
        guard case .mapping(let entries)? = JSONTree(line)?.tree else {
            id = nil
            request = .failure(
                ControlError(#"this is not a JSON object. Send one object per line, such as {"request":"status"}."#))
            return
        }
        var reader = RequestReader(entries, line: line)
        id = reader.text("id")
        do throws(ControlError) {
            request = .success(try Self.read(&reader, among: requests))
        } catch {
            request = .failure(error)
        }
    }

    private static func read(
        _ reader: inout RequestReader, among requests: [any ControlRequest.Type]
    ) throws(ControlError) -> any ControlRequest {
        guard let name = reader.necessaryText("request") else {
            throw ControlError(#"`request` is missing. Add `request`, such as {"request":"status"}."#)
        }
        guard let type = requests.first(where: { $0.manual.name == name }) else {
            let known = requests.map { $0.manual.name }
            let hint = Spelling.nearest(to: name, among: known).map { "Did you mean `\($0)`?" }
            let rest = hint ?? "Known: \(known.joined(separator: ", "))."
            throw ControlError("`\(name.printable(limit: 100))` is not a request. \(rest)")
        }
        let request = type.reading(&reader)
        let problem = reader.finish()
        guard let request, problem == nil else {
            throw ControlError("\(name): \(problem ?? "`\(name)` is not complete.")")
        }
        return request
    }
}

extension ControlRequest {
    /// False, because most requests change something.
    package static var isReading: Bool { false }

    /// Accepts the request; most types need no check.
    package func check(in session: ControlSession) throws(ControlError) {}

    /// Reads a request of this type; a direct call of `type.init(&reader)` on the existential type crashes the compiler (Swift
    /// 6.3.1).
    static func reading(_ reader: inout RequestReader) -> (any ControlRequest)? { Self(&reader) }
}

/// The tracker cannot carry out a request.
package struct ControlError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What happened, and what to do.
    package let description: String

    init(_ description: String) { self.description = description }
}
