package import Compatibility
import Hardware
package import Logging
package import Quantities
package import Store
package import Tracking

/// What a request may use of the tracker.
package protocol Session {
    var now: Instant { get }
    var engine: EngineStatus { get }
    /// The target whose server has sent the order with this request; nil for a client of a socket.
    var server: String? { get }
    var log: Logger { get }

    /// Passes the events to the engine one after the other, and tries to write the result to disk.
    func handle(_ events: [Event]) -> ControlChange

    /// Returns whether the server has a permission now; true for a client of a socket.
    func permits(_ permission: RemotePermission) -> Bool

    /// The environment, live or test, whose options of a server apply.
    var environment: RemoteOptions.Environment { get }

    func store(_ regions: ServerRegions)

    /// Returns the status, for a server without what servers may not see.
    func status() -> Status

    /// Reads or changes the queue; `body` receives the queue and the names of the targets.
    func withQueue<Answer>(
        isWriting: Bool, _ body: (SetAsideTable, [String]) throws -> Answer
    ) throws(ControlError) -> Answer

    func withTrips<Answer>(_ body: (TripTable, [String]) throws -> Answer) throws(ControlError) -> Answer

    func withHistory<Answer>(_ body: (History) throws -> Answer) throws(ControlError) -> Answer

    /// Returns why a target receives no records at present; nil if no reason is known.
    func fault(of target: String) -> String?

    /// Tries all targets now, even those that pause after a failure.
    func deliverNow()

    func reload() throws(ControlError) -> ControlOutcome

    /// Ends the program as soon as all records are on disk, and starts it again.
    func restart() throws(ControlError)

    /// Returns recent findings of the doctor; nil if the client receives the findings later.
    func examine() throws(ControlError) -> ControlExamination?

    /// Sends the client the answer later, or a stream; a server needs none, because it receives the records.
    func answerLater(with answer: LaterAnswer) throws(ControlError)
}

/// An answer that a request does not give at once.
package enum LaterAnswer: Sendable {
    case location(ActionParameters)
    /// The header of a recording, and then each report of a sensor.
    case reports(RecordingHeader)
    /// The version of the stream, and then the status and each later event.
    case events
}

extension Session {
    /// The engine's estimate of the time.
    package var time: Timestamp { engine.time(at: now) }

    package func handle(_ events: Event...) -> ControlChange { handle(events) }

    /// Throws if the position is private now; `what` is what the tracker does not do then.
    func checkPrivacy(_ what: String) throws(ControlError) {
        guard engine.isPrivate else { return }
        let end = engine.privacyEnd(at: now).map { ", until \($0)" } ?? ""
        let reasons = engine.privacyReasons.map(\.text).joined(separator: ", ")
        throw ControlError("\(RequestAnswer.isPrivate) (\(reasons)\(end)), so the tracker \(what).")
    }
}

/// The changes that a request has made.
package struct ControlChange {
    package let before: EngineStatus
    package let after: EngineStatus
    package let records: [StoredRecord]
    private let isOnDisk: Bool

    package init(before: EngineStatus, after: EngineStatus, records: [StoredRecord], isOnDisk: Bool) {
        (self.before, self.after, self.records, self.isOnDisk) = (before, after, records, isOnDisk)
    }

    package func outcome(_ text: String) -> ControlOutcome {
        ControlOutcome(text: text, on_disk: isOnDisk, records: records.map(ControlRecord.init))
    }
}
