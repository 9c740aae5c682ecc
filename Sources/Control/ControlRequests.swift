package import Compatibility
import JSON
import Quantities
import Tracking
import TrackingOptions

package enum ControlRequests {
    /// All requests in the order of docs/control.md.
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

/// A client sends one request per line.
package struct ControlLine {
    private static let idKey = ControlKey("id", "a string that the reply repeats")

    /// The reply repeats it.
    let id: String?
    let request: Result<any ControlRequest, ControlError>

    init(_ line: [UInt8], among requests: [any ControlRequest.Type]) {
        let document = JSONDocument(line, limits: JSONDocument.Limits(depth: 512, values: .max))
        guard let members = document.flatMap({ JSONValue($0.root) })?.members else {
            id = nil
            request = .failure(
                ControlError(#"this is not a JSON object. Send one object per line, such as {"request":"status"}."#))
            return
        }
        var reader = RequestReader(members)
        id = reader.text(Self.idKey)
        do throws(ControlError) {
            request = .success(try Self.read(&reader, among: requests))
        } catch {
            request = .failure(error)
        }
    }

    static func request(
        _ members: [String: JSONValue], among requests: [any ControlRequest.Type]
    ) throws(ControlError) -> any ControlRequest {
        var reader = RequestReader(members)
        _ = reader.text(idKey)
        return try read(&reader, among: requests)
    }

    package static func bytes(of request: String, _ values: [OptionTree.Entry]) -> [UInt8] {
        let line = OptionTree.mapping([.init("request", line: nil, .text(request))] + values)
        return (line.json.encoded ?? []) + [UInt8(ascii: "\n")]
    }

    private static func read(
        _ reader: inout RequestReader, among requests: [any ControlRequest.Type]
    ) throws(ControlError) -> any ControlRequest {
        guard let name = reader.necessaryText(ControlKey("request", "the name of the request")) else {
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
