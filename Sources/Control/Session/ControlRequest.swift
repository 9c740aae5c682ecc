package import Tracking

/// One request of the control socket, with its name, its keys, its reader, its action and its response.
///
/// To add a request, write such a type and add it to `ControlRequests.all`. The dispatch, the reader, the help of the command line
/// and the table in docs/control.md use that list.
package protocol ControlRequest: Sendable, Hashable {
    /// The value under `result` in the reply.
    associatedtype Response: Codable

    static var manual: ControlManual { get }

    /// Whether the request changes nothing; then clients of the read socket may send it.
    static var isReading: Bool { get }

    /// The permission with which a target's server may send the request; nil if no server may send it.
    static var permission: RemotePermission? { get }

    /// Reads the keys of the request; returns nil, and notes the error, if a required key is missing or wrong.
    init?(_ reader: inout RequestReader)

    /// Throws if the tracker cannot carry out the request now; an order is checked as a whole before it is carried out.
    func check(in session: any Session) throws(ControlError)

    /// Carries out the request; returns nil if the client receives the reply in another way, such as a stream.
    func run(in session: any Session) throws(ControlError) -> Response?
}

extension ControlRequest {
    package static var isReading: Bool { false }

    package static var permission: RemotePermission? { nil }

    package func check(in session: any Session) throws(ControlError) {}

    /// Reads a request of this type; a direct call of `type.init(&reader)` on the existential type crashes the compiler (Swift
    /// 6.3.1).
    package static func reading(_ reader: inout RequestReader) -> (any ControlRequest)? { Self(&reader) }
}
