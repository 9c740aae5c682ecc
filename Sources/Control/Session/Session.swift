package import Compatibility
package import Logging
package import Quantities
package import Store
package import Tracking

package protocol Session {
    var now: Instant { get }
    var engine: EngineStatus { get }
    /// The target whose server sends the request; nil for a client of a socket.
    var server: String? { get }
    var log: Logger { get }

    /// Lets the engine handle events, and tries to write the result to disk.
    func handle(_ events: [Event]) -> ControlChange

    /// Returns whether the sender's target grants the permission; always true for a client of a socket.
    func permits(_ permission: RemotePermission) -> Bool

    var environment: RemoteOptions.Environment { get }

    func store(_ regions: ServerRegions)

    /// A server gets only the parts that servers may see.
    func status() -> Status

    /// `body` gets the queue and the names of the targets.
    func withQueue<Answer>(
        isWriting: Bool, _ body: (SetAsideTable, [String]) throws -> Answer
    ) throws(ControlError) -> Answer

    func withTrips<Answer>(_ body: (TripTable, [String]) throws -> Answer) throws(ControlError) -> Answer

    func withHistory<Answer>(_ body: (History) throws -> Answer) throws(ControlError) -> Answer

    /// Returns the reason why a target receives nothing; nil if none is known.
    func fault(of target: String) -> String?

    /// Tries all targets immediately, even those that pause after a failure.
    func deliverNow()

    func reload() throws(ControlError) -> ControlOutcome

    /// Starts the program again as soon as all records are on disk.
    func restart() throws(ControlError)

    /// Nil if the client gets the findings later.
    func examine() throws(ControlError) -> ControlExamination?

    /// Lets the client wait for the answer or a stream. A server needs neither, because it gets the records.
    func answerLater(with answer: LaterAnswer) throws(ControlError)
}

package enum LaterAnswer: Sendable {
    case location(ActionParameters)
    /// The client gets the header, and then each report of a sensor.
    case reports(RecordingHeader)
    /// The client gets the version, and then the status and each event.
    case events
}

extension Session {
    package var time: Timestamp { engine.time(at: now) }

    package func handle(_ events: Event...) -> ControlChange { handle(events) }

    /// Throws in a private period; `what` completes "the tracker …".
    func checkPrivacy(_ what: String) throws(ControlError) {
        guard engine.isPrivate else { return }
        let end = engine.privacyEnd(at: now).map { ", until \($0)" } ?? ""
        let reasons = engine.privacyReasons.map(\.text).joined(separator: ", ")
        throw ControlError("\(RequestAnswer.isPrivate) (\(reasons)\(end)), so the tracker \(what).")
    }
}

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
