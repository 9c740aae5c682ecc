import Contracts
@testable import Delivery
@testable import Formats
import Foundation
import Peers
import Quantities
import Testing
import Tracking
@testable import Upload

@Suite(
    "The upload thread",
    .enabled(
        if: Broker.program != nil && WebServer.python != nil,
        "mosquitto or python3 is missing: apt install mosquitto python3"))
struct UploadLoopTests {
    enum Kind: String, CaseIterable { case http, mqtt }

    private static func peer(_ kind: Kind) throws -> any Peer {
        switch kind {
        case .http: try WebServer()
        case .mqtt: try Broker()
        }
    }

    @Test("After an absence of the server, every record is delivered, the newest first.", arguments: Kind.allCases)
    func away(kind: Kind) throws {
        let peer = try Self.peer(kind)
        let worker = try RunningWorker([.sample(peer.url, "owntracks")], SampleRecords.many(100))
        #expect(worker.reports { if case .failing = $0 { true } else { false } })
        worker.append(101)
        try peer.start(denying: false)
        worker.networkReturned()
        #expect(worker.drains())
        #expect(worker.reports { if case .recovered = $0 { true } else { false } })
        #expect(worker.stop() != nil)
        #expect(peer.bodies.first?.contains("000000000065\"") == true, "record 101")
        #expect(Set(peer.bodies).count == 101)
    }

    @Test(
        "If the server is away for half an hour without a change of the network, the newest record arrives 20 s after its return.",
        arguments: Kind.allCases)
    func unreportedOutage(kind: Kind) throws {
        let peer = try Self.peer(kind)
        let clock = SteppedClock()
        let worker = try RunningWorker([.sample(peer.url, "owntracks")], SampleRecords.many(100), clocks: clock.clocks)
        #expect(worker.reports { if case .failing = $0 { true } else { false } })
        for step in 1...89 {
            let before = worker.attempts
            clock.advance(by: .seconds(20))
            worker.wake()
            try #require(eventually { worker.attempts > before }, "no attempt in step \(step)")
        }
        try peer.start(denying: false)
        clock.advance(by: .seconds(20))
        worker.wake()
        #expect(worker.drains())
        #expect(worker.stop() != nil)
        #expect(peer.bodies.first?.contains("000000000064\"") == true, "record 100")
    }

    @Test("Every record is delivered even if the server disappears for a while.", arguments: Kind.allCases)
    func interrupted(kind: Kind) throws {
        let peer = try Self.peer(kind)
        try peer.start(denying: false)
        let worker = try RunningWorker(
            [.sample(peer.url, "owntracks")], SampleRecords.many(100), timeouts: TransportTimeouts())
        #expect(worker.drains())
        try peer.behave(.mute)
        for sequence in 101...500 { worker.append(Int64(sequence)) }
        #expect(eventually { peer.bodies.count > 100 })
        peer.stop()
        #expect(worker.reports { if case .failing = $0 { true } else { false } })
        try peer.behave(.good)
        try peer.start(denying: false)
        worker.networkReturned()
        #expect(worker.drains())
        #expect(worker.stop() != nil)
        #expect(Set(peer.bodies).count == 500)
    }

    @Test("Records without an answer are sent again, with the same bytes.", arguments: Kind.allCases)
    func silent(kind: Kind) throws {
        let peer = try Self.peer(kind)
        try peer.start(denying: false)
        try peer.behave(.mute)
        let worker = try RunningWorker([.sample(peer.url, "owntracks")], SampleRecords.many(30))
        #expect(
            worker.reports {
                if case .failing(let reason) = $0 {
                    reason.hasPrefix("127.0.0.1 does not answer in time")
                } else {
                    false
                }
            })
        #expect(try worker.queue.count(awaiting: "home") == 30, "nothing is delivered without an answer")
        try peer.behave(.good)
        #expect(worker.drains())
        #expect(worker.stop() != nil)
        #expect(peer.bodies.count > 30)
        #expect(Set(peer.bodies).count == 30)
    }

    @Test("Only the newest location is retained at the broker.")
    func retained() throws {
        let broker = try Broker()
        try broker.start()
        let worker = try RunningWorker([.sample(broker.url, "owntracks")], SampleRecords.many(40))
        #expect(worker.drains())
        worker.append(41)
        #expect(worker.drains())
        #expect(worker.stop() != nil)
        let retained = broker.messages.filter(\.retain).map(\.payload)
        #expect(retained.count == 2)
        #expect(retained.last?.contains("000000000029\"") == true, "record 41")
    }

    @Test("A refused record is set aside, and the others are delivered in batches.")
    func poison() throws {
        let server = try WebServer()
        try server.start()
        try server.answer("not 0000000000\(String(33, radix: 16))\"")
        let worker = try RunningWorker([.sample(server.url, "geojson")], SampleRecords.many(80))
        #expect(worker.drains())
        #expect(worker.stop() != nil)
        #expect(worker.queue.aside(for: "home") == [33: "status 400"])
        #expect(server.requests.count < 40)
    }

    @Test("Many deliveries of single records are stored in one transaction, in order.")
    func transactions() throws {
        let server = try WebServer()
        try server.start()
        let worker = try RunningWorker([.sample(server.url, "owntracks")], SampleRecords.many(50))
        #expect(worker.drains())
        #expect(worker.stop() != nil)
        #expect(worker.queue.transactions < 15)
        #expect(server.bodies.count == 50)
        #expect(server.requests.allSatisfy { $0.connection == server.requests.first?.connection })
        #expect(server.bodies == server.bodies.sorted(), "the UUID, which grows with the number, comes first")
    }

    @Test("Deliveries before a failure of the server are stored.")
    func failsInTheMiddle() throws {
        let server = try WebServer()
        try server.start()
        try server.answer("first 7")
        let worker = try RunningWorker([.sample(server.url, "owntracks")], SampleRecords.many(50))
        #expect(worker.reports { if case .failing = $0 { true } else { false } })
        #expect(try worker.queue.count(awaiting: "home") == 43)
        try server.behave(.good)
        #expect(worker.drains())
        #expect(worker.stop() != nil)
        #expect(Set(server.bodies).count == 50)
    }

    @Test("Deliveries are stored when the upload thread ends.")
    func notesAtTheEnd() throws {
        let server = try WebServer()
        try server.start()
        try server.answer("first 3 mute")
        let worker = try RunningWorker(
            [.sample(server.url, "owntracks")], SampleRecords.many(20), timeouts: TransportTimeouts())
        #expect(eventually { server.bodies.count == 4 })
        #expect(worker.stop() != nil)
        #expect(try worker.queue.count(awaiting: "home") == 17)
    }

    @Test("The batch size adapts to the size that the server accepts.")
    func tooLarge() throws {
        let server = try WebServer()
        try server.start()
        try server.answer("at most 3")
        let worker = try RunningWorker([.sample(server.url, "geojson")], SampleRecords.many(50))
        #expect(worker.drains())
        #expect(worker.stop() != nil)
        #expect(worker.queue.aside(for: "home") == [:])
    }

    @Test(
        "No answer but the server's own counts as a delivery.",
        arguments: ["html", "half", "huge", "moved", "500", "busy"])
    func strangers(manner: String) throws {
        let server = try WebServer()
        try server.start()
        try server.answer(manner)
        let worker = try RunningWorker([.sample(server.url, "owntracks")], SampleRecords.many(1))
        #expect(worker.reports { if case .failing = $0 { true } else { false } })
        #expect(try worker.queue.count(awaiting: "home") == 1)
        #expect(worker.stop() != nil)
        #expect(server.requests.allSatisfy { $0.path == "/pub" })
    }

    @Test("A pause until a date counts from the date of the answer, because the clock of the board may be wrong.")
    func pauseUntil() throws {
        let server = try WebServer()
        try server.start()
        try server.answer("busy at Fri, 01 Jan 2038 00:00:00 GMT until Fri, 01 Jan 2038 00:00:02 GMT")
        let worker = try RunningWorker([.sample(server.url, "geojson")], SampleRecords.many(3))
        #expect(worker.reports { if case .failing = $0 { true } else { false } })
        try server.answer("good")
        #expect(worker.drains())
        #expect(worker.stop() != nil)
    }

    @Test("A rejected login is reported, and records are delivered after an accepted login.")
    func login() throws {
        let server = try WebServer()
        try server.start(denying: true)
        let targets = try ["secret", "wrong"].map { password in
            try UploadTarget(
                name: password, url: server.url, format: "owntracks", user: "fleet", device: "van1",
                access: TargetAccess(username: "me", password: SecretSource(password)))
        }
        let worker = try RunningWorker(targets, SampleRecords.many(5))
        #expect(worker.drains("secret"))
        #expect(worker.reports { if case .unauthorised = $0 { true } else { false } })
        #expect(worker.stop() != nil)
        #expect(try worker.queue.count(awaiting: "wrong") == 5)
    }

    @Test("A failing target does not delay another target.")
    func independent() throws {
        let (dead, alive) = (try WebServer(), try Broker())
        try dead.start()
        try dead.behave(.mute)
        try alive.start()
        let targets = try [("dead", dead.url), ("alive", alive.url)].map { name, url in
            try UploadTarget(name: name, url: url, format: "owntracks", user: "fleet", device: "van1")
        }
        let worker = try RunningWorker(targets, SampleRecords.many(50), timeouts: TransportTimeouts())
        #expect(worker.drains("alive"))
        #expect(worker.stop() != nil, "and ends in time while one is silent")
        #expect(try worker.queue.count(awaiting: "dead") == 50)
    }

    @Test("The upload thread does not wake up without work.", arguments: Kind.allCases)
    func rest(kind: Kind) throws {
        let peer = try Self.peer(kind)
        try peer.start(denying: false)
        let resting = try RunningWorker([])
        let busy = try RunningWorker([.sample(peer.url, "owntracks")], SampleRecords.many(1))
        #expect(busy.drains())
        // This is the only wait with a fixed length in these tests.
        Thread.sleep(forTimeInterval: 2)
        #expect(resting.stop() == 1)
        let wakeUps = try #require(busy.stop())
        #expect(wakeUps < 30, "one record took \(wakeUps) wake-ups")
    }

    @Test("A batch omits and counts the records that its format cannot express.")
    func omitted() throws {
        let server = try WebServer()
        try server.start()
        let records = SampleRecords.many(3) + [SampleRecords.placeless(4)]
        let url = "http://127.0.0.1:\(server.port)/overland"
        let worker = try RunningWorker([.sample(url, "overland")], records)
        #expect(worker.reports { $0 == .delivered(count: 4, withheld: 1) })
        #expect(worker.drains())
        #expect(worker.stop() != nil)
        #expect(server.bodies.count == 1)
        #expect(server.bodies.first?.components(separatedBy: #""uuid""#).count == 4)
    }

    @Test("Before uploads are suspended to save the battery, the server receives the records that wait.")
    func finishing() throws {
        let server = try WebServer()
        try server.start()
        try server.answer("500")
        let worker = try RunningWorker([.sample(server.url, "owntracks")], SampleRecords.many(30))
        #expect(worker.reports { if case .failing = $0 { true } else { false } })
        worker.permit(.finishing)
        try server.behave(.good)
        #expect(worker.drains())
        worker.append(31)
        worker.permit(.suspended)
        let before = server.bodies.count
        worker.append(32)
        worker.permit(.allowed)
        #expect(worker.drains())
        #expect(server.bodies.count > before)
        #expect(worker.stop() != nil)
    }

    @Test("A target receives only its configured kinds, and after an outage the newest record of these kinds first.")
    func filtered() throws {
        let (server, all) = (try WebServer(), try WebServer())
        try all.start()
        var rules = TargetRules()
        rules.filter.exceptKinds = [RecordSelector(.motionchange)]
        let targets = try [("some", server, rules), ("all", all, TargetRules())].map { name, server, rules in
            try UploadTarget(
                name: name, url: server.url, format: "owntracks", user: "fleet", device: "van1", rules: rules)
        }
        let stops: Set<Int64> = [1, 2, 50, 51, 100]
        let records = (1...100).map { stops.contains($0) ? SampleRecords.stop($0) : SampleRecords.location($0) }
        let worker = try RunningWorker(targets, records)
        #expect(worker.drains("all"))
        #expect(all.bodies.count == 100)
        try server.start()
        worker.networkReturned()
        #expect(worker.drains("some"))
        #expect(worker.stop() != nil)
        #expect(server.bodies.count == 95)
        #expect(server.bodies.first?.contains("000000000063\"") == true, "record 99")
        #expect(!server.bodies.contains { body in stops.contains { body.contains(String(format: "%012x", $0)) } })
    }

    @Test("Many records that are not for the target do not block the other records.")
    func rare() throws {
        let server = try WebServer()
        try server.start()
        var rules = TargetRules()
        rules.filter.kinds = [RecordSelector(.motionchange)]
        let target = try UploadTarget(
            name: "home", url: server.url, format: "owntracks", user: "fleet", device: "van1", rules: rules)
        let worker = try RunningWorker([target], SampleRecords.many(5000) + [SampleRecords.stop(5001)])
        #expect(worker.drains())
        worker.append(5002)
        worker.append(SampleRecords.stop(5003))
        #expect(worker.drains())
        #expect(worker.stop() != nil)
        #expect(server.bodies.count == 2)
    }

    @Test("Uploads continue when the queue works again.")
    func brokenQueue() throws {
        let server = try WebServer()
        try server.start()
        let worker = try RunningWorker([.sample(server.url, "owntracks")])
        worker.queue.setBroken(true)
        worker.append(1)
        #expect(worker.reports { $0 == .queueFailing(reason: "queue: the disk is full") })
        worker.queue.setBroken(false)
        #expect(worker.drains())
        #expect(worker.stop() != nil)
    }
}
