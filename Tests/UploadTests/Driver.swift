import Glibc
import Quantities
import Testing
import Contracts

@testable import Upload

/// A transport and the loop around it.
struct Driver {
    let target: UploadTarget
    let transport: any Transport
    private var settled: [Int: Verdict] = [:]

    init(_ url: String, _ format: String, _ timeouts: TransportTimeouts, caFile: String? = nil) throws {
        target = try .sample(url, format, caFile: caFile)
        transport = target.transport.make(target, .ofTests, timeouts)
    }

    var now: Instant { UploadClocks.ofTests.now() }

    func send(_ id: Int) {
        let kind = target.transport.kind
        let result = target.format.encode([SampleRecords.location(Int64(id))], isNewest: false, for: target, over: kind)
        guard case .payload(let payload) = result else { return }
        transport.send(payload, as: id, at: now)
    }

    /// Runs until this many payloads have a verdict, for a minute at most.
    mutating func verdicts(_ count: Int) -> [Int: Verdict] {
        _ = drive(until: { $0.count >= count })
        defer { settled = [:] }
        return settled
    }

    mutating func reason(of id: Int) -> String? {
        guard case .retry(let reason, _) = verdicts(1)[id] else { return nil }
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
                if settled[outcome.id] != nil { Issue.record("two verdicts for \(outcome.id)") }
                settled[outcome.id] = outcome.verdict
            }
        }
        return condition(settled)
    }
}

extension UploadClocks {
    /// The clocks of this machine.
    static let ofTests = UploadClocks(
        now: { Instant.boot + (ContinuousClock.now - start) }, utc: { Timestamp(milliseconds: 1_760_000_000_000) })

    private static let start = ContinuousClock.now
}
