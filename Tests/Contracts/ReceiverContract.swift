package import Hardware
package import Quantities
package import Tracking

package protocol ReceiverBench: AnyObject {
    /// Not started on a new bench.
    var receiver: any Receiver { get }

    var now: Instant { get }

    /// Lets time pass with a good sky view, and returns the receiver's events.
    func events(during span: Duration) -> [Event]
}

/// Returns the violations as sentences.
///
/// The bench's receiver must report at 1 Hz within ten seconds after a start.
package func violationsOfReceiverContract(_ make: () throws -> some ReceiverBench) rethrows -> [String] {
    var checks = ReceiverContract()
    let bench = try make()
    checks.neverStarted(bench)
    checks.startedTwice(bench)
    checks.calledTooEarly(bench)
    checks.stopped(bench)
    checks.startedAgain(bench)
    return checks.violations
}

private struct ReceiverContract {
    var violations: [String] = []

    private mutating func require(_ isSo: Bool, _ sentence: String) {
        if !isSo { violations.append(sentence) }
    }

    mutating func neverStarted(_ bench: some ReceiverBench) {
        require(bench.receiver.wait == Wait(), "does not wait before it is started")
        require(bench.events(during: .seconds(2)).isEmpty, "sends no events before it is started")
        bench.receiver.stop(at: bench.now)
        require(bench.events(during: .seconds(2)).isEmpty, "can be stopped before it is started")
    }

    mutating func startedTwice(_ bench: some ReceiverBench) {
        bench.receiver.start(at: bench.now)
        bench.receiver.start(at: bench.now)
        let events = bench.events(during: .seconds(20))
        let times = events.compactMap(\.fix?.time)
        require(times.count >= 10, "reports once a second after a start")
        require(zip(times, times.dropFirst()).allSatisfy(<), "reports no epoch twice, even if started twice")
        require(events.first == .receiver(isThere: true), "reports that it is there before the first fix")
        require(events.count { $0 == .receiver(isThere: true) } == 1, "reports only once that it is there")
    }

    mutating func calledTooEarly(_ bench: some ReceiverBench) {
        _ = bench.receiver.advance(at: bench.now)
        require(bench.receiver.advance(at: bench.now).isEmpty, "sends no events when it is called too early")
    }

    mutating func stopped(_ bench: some ReceiverBench) {
        bench.receiver.stop(at: bench.now)
        bench.receiver.stop(at: bench.now)
        require(bench.events(during: .seconds(20)).allSatisfy { $0.fix == nil }, "reports no fix after a stop")
        require(bench.receiver.wait.deadline == nil, "sets no deadline when stopped, so that nothing wakes the program")
    }

    mutating func startedAgain(_ bench: some ReceiverBench) {
        bench.receiver.start(at: bench.now)
        let events = bench.events(during: .seconds(20))
        require(events.contains { $0.fix != nil }, "reports again when started after a stop")
        bench.receiver.stop(at: bench.now)
    }
}

extension Event {
    package var fix: Fix? {
        guard case .fix(let fix) = self else { return nil }
        return fix
    }
}
