@testable import Control
import Delivery
import Quantities
import Synchronization
import Testing
@testable import TrackerDaemon
import Tracking

@Suite("The trial of a server's options")
struct TrialProofTests {
    private let received = ReceivedRecords()
    private let conversation: ControlConversation
    private var tracker: Tracker { conversation.tracker }

    init() throws {
        let uploads = UploadHandle(counts: { [received] _ in
            var counts = UploadCounts()
            counts.note(records: received.count.load(ordering: .relaxed))
            return counts
        })
        conversation = try ControlConversation(uploads: uploads)
        conversation.permit(["home": [.options, .silence]])
    }

    /// Sends an order with options, and lets the server receive all records.
    private func order(_ options: String) throws {
        #expect(try conversation.order(#"{"request":"options","options":\#(options)}"#)?.isAccepted == true)
        try deliver(at: 60)
    }

    private func deliver(at second: Int) throws {
        try conversation.settleAll()
        received.count.add(1, ordering: .relaxed)
        tracker.runner.proveOptions(at: StillClock.start + .seconds(second))
    }

    @Test("A parked vehicle confirms the options with a record that contains the parked place.")
    func parked() throws {
        for second in 1...10 { conversation.drive(to: 13.4, at: second) }
        try order(#"{"turnFilter":33}"#)
        #expect(tracker.runner.engine.status.optionsTrial == nil)
    }

    @Test("While the vehicle moves, the options remain on trial until the receiver has delivered a fix with them.")
    func moving() throws {
        for second in 1...10 { conversation.drive(to: 13.4, at: second) }
        _ = conversation.reply(to: #"{"request":"move"}"#)
        try #require(tracker.runner.engine.isMoving)
        try order(#"{"turnFilter":33}"#)
        #expect(tracker.runner.engine.status.optionsTrial?.target == "home")
        try deliver(at: 61)
        #expect(tracker.runner.engine.status.optionsTrial?.target == "home")
        conversation.drive(to: 13.4001, at: 62)
        tracker.runner.proveOptions(at: StillClock.start + .seconds(62))
        #expect(tracker.runner.engine.status.optionsTrial == nil)
    }

    @Test("A moving vehicle that knows no position does not confirm the options with its records.")
    func positionless() throws {
        _ = conversation.reply(to: #"{"request":"move"}"#)
        try #require(tracker.runner.engine.isMoving)
        try order(#"{"turnFilter":33}"#)
        try deliver(at: 61)
        #expect(tracker.runner.engine.status.optionsTrial?.target == "home")
    }

    @Test(
        "Any record confirms options if no position is to be expected.",
        arguments: [#"{"desiredAccuracy":"none"}"#, #"{"monitoring":"manual"}"#])
    func noPosition(options: String) throws {
        _ = conversation.reply(to: #"{"request":"move"}"#)
        try order(options)
        #expect(tracker.runner.engine.status.optionsTrial == nil)
    }

    @Test("In a private period, any record confirms the options of a server.")
    func isPrivate() throws {
        _ = conversation.reply(to: #"{"request":"private on"}"#)
        try order(#"{"turnFilter":33}"#)
        #expect(tracker.runner.engine.status.optionsTrial == nil)
    }
}

private final class ReceivedRecords: Sendable {
    let count = Atomic(0)
}
