package import Tracking

/// One request of the control socket. To add one, write such a type and add it to `ControlRequests.all`: the sockets accept
/// only these requests, and the table in docs/control.md lists them.
package protocol ControlRequest: Sendable, Hashable {
    /// What the reply has under `result`.
    associatedtype Response: Codable

    static var manual: ControlManual { get }

    /// True if clients of the read socket may send the request.
    static var isReading: Bool { get }

    /// The permission that a server needs to send the request; nil if no server can have it.
    static var permission: RemotePermission? { get }

    /// Nil, with a noted error, if a required key is missing or wrong.
    init?(_ reader: inout RequestReader)

    /// Throws if the request is impossible now. All requests of an order are checked before the first is carried
    /// out.
    func check(in session: any Session) throws(ControlError)

    /// Nil if `answerLater` or `examine` replies instead.
    func run(in session: any Session) throws(ControlError) -> Response?
}

extension ControlRequest {
    package static var isReading: Bool { false }

    package static var permission: RemotePermission? { nil }

    package func check(in session: any Session) throws(ControlError) {}

    /// `type.init(&reader)` on the existential type crashes the compiler (Swift 6.3.1).
    package static func reading(_ reader: inout RequestReader) -> (any ControlRequest)? { Self(&reader) }
}

/// A request without keys of its own.
protocol KeylessRequest: ControlRequest {
    init()
}

extension KeylessRequest {
    package init?(_ reader: inout RequestReader) { self.init() }
}
