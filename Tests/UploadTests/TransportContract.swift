import Contracts
@testable import Delivery
@testable import Formats
import Glibc
import Peers
import Quantities
import Testing
@testable import Upload

/// The duties of every transport, checked against a real server.
struct TransportContract {
    let peer: any Peer
    let format: String
    private let timeouts = TransportTimeouts(connect: .seconds(20), answer: .seconds(2))

    /// Delivers a full window, each payload once; afterwards only a distant deadline is left.
    func delivers() throws {
        try peer.start(denying: false)
        var driver = try Driver(peer.url, format, TransportTimeouts(connect: .seconds(30), answer: .seconds(60)))
        for round in 0..<3 {
            let ids = Array(round * 100..<round * 100 + driver.target.transport.window)
            for id in ids { driver.send(id) }
            #expect(driver.verdicts(ids.count) == Dictionary(uniqueKeysWithValues: ids.map { ($0, .delivered) }))
        }
        #expect(Set(peer.bodies).count == 3 * driver.target.transport.window)
        if let deadline = driver.transport.deadline { #expect(deadline - driver.now >= .seconds(100)) }
        driver.transport.close()
    }

    /// An absent server is reported, and payloads are delivered when it is back.
    func survivesAbsence() throws {
        var driver = try Driver(peer.url, format, timeouts)
        driver.send(1)
        let reason = driver.linkFault(of: 1) ?? "delivered"
        #expect(reason.hasPrefix("127.0.0.1 is unreachable, or no ") && reason.contains(" listens there"))
        try peer.start(denying: false)
        driver.send(2)
        #expect(driver.verdicts(1) == [2: .delivered])
        driver.transport.close()
    }

    /// A silent server is reported in time, and the next attempt sends the same bytes.
    func survivesSilence() throws {
        try peer.start(denying: false)
        try peer.behave(.mute)
        var driver = try Driver(peer.url, format, TransportTimeouts(connect: .seconds(3), answer: .seconds(2)))
        driver.send(1)
        #expect(driver.reason(of: 1)?.hasPrefix("127.0.0.1 does not answer in time") == true)
        try peer.behave(.good)
        driver.send(1)
        #expect(driver.verdicts(1) == [1: .delivered])
        #expect(peer.bodies.count == 2 && Set(peer.bodies).count == 1)
        driver.transport.close()
    }

    /// A broken connection is reported for all payloads in flight.
    func survivesBreaking() throws {
        try peer.start(denying: false)
        try peer.behave(.cut)
        var driver = try Driver(peer.url, format, timeouts)
        let ids = Array(1...driver.target.transport.window)
        for id in ids { driver.send(id) }
        let verdicts = driver.verdicts(ids.count)
        #expect(Set(verdicts.keys) == Set(ids))
        for verdict in verdicts.values {
            guard case .linkFailed(let reason) = verdict else { Issue.record("\(verdict)"); continue }
            #expect(reason.hasPrefix("the connection to 127.0.0.1 broke"))
        }
        driver.transport.close()
    }

    func reportsRejectedUser() throws {
        try peer.start(denying: true)
        var driver = try Driver(peer.url, format, timeouts)
        driver.send(1)
        guard case .unauthorised = driver.verdicts(1)[1] else {
            Issue.record("The rejected user was accepted."); return
        }
        driver.transport.close()
    }

    /// Closing does not wait for payloads in flight.
    func closesAtOnce() throws {
        try peer.start(denying: false)
        try peer.behave(.mute)
        var driver = try Driver(peer.url, format, TransportTimeouts())
        driver.send(1)
        #expect(driver.drive { !peer.bodies.isEmpty })
        let before = driver.now
        driver.transport.close()
        #expect(driver.now - before < .seconds(2))
        #expect(driver.transport.advance(at: driver.now) == [])
        #expect(driver.transport.watches.isEmpty && driver.transport.deadline == nil)
    }
}

/// A transport, and a loop that drives it.
struct Driver {
    let target: UploadTarget
    let transport: any Transport
    private let recordsPerPayload: Int
    private let clock = SteppedClock()
    private var settled: [Int: Verdict] = [:]

    init(_ url: String, _ format: String, _ timeouts: TransportTimeouts, caFile: String? = nil) throws {
        try self.init(.sample(url, format, caFile: caFile), timeouts)
    }

    init(_ target: UploadTarget, _ timeouts: TransportTimeouts = TransportTimeouts(), recordsPerPayload: Int = 1) throws
    {
        self.target = target
        self.recordsPerPayload = recordsPerPayload
        // The daemon does so too, because a server may close a connection while OpenSSL writes to it.
        signal(SIGPIPE, SIG_IGN)
        transport = target.makeTransport(clock.clocks, timeouts)
    }

    init(target: UploadTarget) throws {
        try self.init(target, TransportTimeouts(connect: .seconds(50)))
    }

    var now: Instant { clock.clocks.now() }

    /// Lets this time pass at once for the transport, but not for its peer.
    func advance(by span: Duration) { clock.advance(by: span) }

    func send(_ id: Int) {
        let kind = target.transport.kind
        let records = (0..<recordsPerPayload).map { SampleRecords.location(Int64(id + $0)) }
        let result = target.format.encode(records, isNewest: false, for: target.sender, over: kind)
        guard case .payload(let payload) = result else { return }
        transport.send(payload, as: id, at: now)
    }

    /// Runs until this number of payloads have a verdict, for at most a minute.
    mutating func verdicts(_ count: Int) -> [Int: Verdict] {
        _ = drive(until: { $0.count >= count })
        defer { settled = [:] }
        return settled
    }

    mutating func reason(of id: Int) -> String? { verdicts(1)[id]?.passingReason }

    mutating func linkFault(of id: Int) -> String? {
        guard case .linkFailed(let reason) = verdicts(1)[id] else { return nil }
        return reason
    }

    mutating func drive(until condition: () -> Bool) -> Bool { drive(until: { _ in condition() }) }

    private mutating func drive(until condition: ([Int: Verdict]) -> Bool) -> Bool {
        let end = now + .seconds(60)
        while now < end {
            if condition(settled) { return true }
            var sockets = transport.watches.map {
                pollfd(
                    fd: $0.descriptor, events: Int16(($0.reads ? POLLIN : 0) | ($0.writes ? POLLOUT : 0)), revents: 0)
            }
            let rest = transport.deadline.map { max(0, ($0 - now).inSeconds * 1000) } ?? 100
            poll(&sockets, nfds_t(sockets.count), Int32(min(rest.rounded(.up), 100)))
            for outcome in transport.advance(at: now) {
                if settled[outcome.id] != nil { Issue.record("There are two verdicts for \(outcome.id)") }
                settled[outcome.id] = outcome.verdict
            }
        }
        return condition(settled)
    }
}

extension UploadClocks {
    /// Clocks for tests: `now` reads this machine's monotonic clock, and `utc` is always the same time.
    static let ofTests = UploadClocks(
        now: { Instant.boot + (ContinuousClock.now - start) }, utc: { Timestamp(milliseconds: 1_760_000_000_000) })

    private static let start = ContinuousClock.now
}
