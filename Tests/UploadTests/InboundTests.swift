import Contracts
@testable import Delivery
@testable import Formats
import Quantities
import Testing
import Tracking
@testable import Upload

@Suite("The orders that a target's server sends")
struct InboundTests {
    private let queue = MemoryQueue()
    private let now = Instant(seconds: 100)
    private let order = Array(#"{"request":"locate","id":"a","expires":1777888800}"#.utf8)

    private func inbound(_ format: OwnTracks = OwnTracks()) throws -> Inbound {
        let target = try UploadTarget(
            name: "home", url: "mqtts://broker.example.net", format: "owntracks", user: "fleet", device: "van1",
            settings: format, control: [.locate])
        return Inbound(target, queue)
    }

    @Test("If the target has an encryption key, only orders that are encrypted with this key are accepted.")
    func encrypted() throws {
        let key = try #require(OwnTracksKey("correct-horse"))
        let other = try #require(OwnTracksKey("wrong-horse"))
        let inbound = try inbound(OwnTracks(key: key))
        inbound.receive([order, try #require(other.seal(order))], at: now)
        #expect(queue.orders.isEmpty)
        let reason = "a message is not encrypted with the target's `encryptionKey`"
        #expect(inbound.takeReport(at: now) == .ordersRefused(count: 2, reason: reason))
        inbound.receive([try #require(key.seal(order))], at: now)
        #expect(queue.orders.map(\.id) == ["a"])
        #expect(inbound.takeReport(at: now + .seconds(60)) == nil)
    }

    @Test("Without a key, an order in clear text is accepted, and an encrypted one is not.")
    func clear() throws {
        let inbound = try inbound()
        let key = try #require(OwnTracksKey("correct-horse"))
        inbound.receive([order, try #require(key.seal(order))], at: now)
        #expect(queue.orders.map(\.id) == ["a"])
    }

    @Test("If the disk accepts no data, the order is refused and reported, and the sender can repeat it.")
    func broken() throws {
        let inbound = try inbound()
        queue.setReadOnly(true)
        inbound.receive([order], at: now)
        let reason = "trackerd cannot store an order: queue: the disk is full"
        #expect(inbound.takeReport(at: now) == .ordersRefused(count: 1, reason: reason))
        queue.setReadOnly(false)
        inbound.receive([order], at: now)
        #expect(queue.orders.map(\.id) == ["a"])
    }

    @Test("More than 20 orders at once are refused, and reported at most once a minute.")
    func flood() throws {
        let inbound = try inbound()
        let orders = (0..<30).map { Array(#"{"request":"locate","id":"\#($0)","expires":1777888800}"#.utf8) }
        inbound.receive(orders, at: now)
        #expect(queue.orders.count == 20)
        guard case .ordersRefused(count: 10, _)? = inbound.takeReport(at: now) else {
            Issue.record("no report")
            return
        }
        inbound.receive(orders, at: now)
        #expect(inbound.deadline == now + .seconds(60))
        #expect(inbound.takeReport(at: now + .seconds(59)) == nil)
        #expect(inbound.takeReport(at: now + .seconds(60)) != nil)
    }
}
