@testable import Delivery
@testable import Formats
import Quantities
import Testing
import Tracking

@Suite("The pauses during an outage")
struct RetryPauseTests {
    /// Returns a link whose first upload has failed with the verdict.
    private func failing(_ verdict: Verdict = .linkFailed(reason: "unreachable")) -> Link {
        var link = Link(records: 1)
        _ = link.handle(.recordsCommitted)
        _ = link.settle(verdict)
        return link
    }

    /// Lets the attempts fail until the time has passed; returns the pauses before them in seconds.
    private func pauses(_ link: inout Link, for span: Duration) -> [Double] {
        let end = link.now + span
        var pauses: [Double] = []
        while let next = link.armed, next <= end {
            pauses.append((next - link.now).inSeconds)
            _ = link.timer()
            _ = link.settle(.linkFailed(reason: "unreachable"))
        }
        return pauses
    }

    private func isNear(_ pauses: [Double], _ expected: [Double]) -> Bool {
        pauses.count == expected.count
            && zip(pauses, expected).allSatisfy { (0.75 * $1...1.25 * $1).contains($0) }
    }

    @Test("In the first 30 min of an outage, the pauses grow to 15 s, and after that to 5 min, ±25 %.")
    func growth() {
        var link = failing()
        let early = pauses(&link, for: .seconds(1800))
        #expect(isNear(Array(early.prefix(6)), [1, 2, 4, 8, 15, 15]), "\(early)")
        #expect(early.dropFirst(4).allSatisfy { (11.25...18.75).contains($0) })
        // A pause of 15 s began within the first 30 min, and is not over yet.
        let late = pauses(&link, for: .seconds(3000))
        #expect(isNear(Array(late.prefix(8)), [15, 32, 64, 128, 256, 300, 300, 300]), "\(late)")
    }

    @Test("Parked for a week without a network that the kernel reports as lost, the tracker makes few attempts.")
    func parked() {
        var link = failing()
        let early = pauses(&link, for: .seconds(1800)).count
        #expect((110...165).contains(early), "\(early)")
        let week = pauses(&link, for: .seconds(7 * 86_400)).count
        #expect((7 * 24 * 11...7 * 24 * 13).contains(week), "\(week)")
    }

    @Test(
        "After hours without a network, a new record ends a long pause within 15 s, and keeps the pauses short for a minute."
    )
    func drivesOff() {
        var link = failing()
        _ = pauses(&link, for: .seconds(10_000))
        #expect((link.armed ?? link.now) - link.now > .seconds(100))
        link.append(2)
        #expect(link.handle(.recordsCommitted) == [])
        #expect(link.armed == link.now + .seconds(15))
        let began = link.now
        let minute = pauses(&link, for: .seconds(60))
        #expect(minute.count >= 4 && minute.allSatisfy { $0 <= 18.75 }, "\(minute)")
        let later = pauses(&link, for: .seconds(2000))
        #expect(later.dropFirst().allSatisfy { (225...375).contains($0) }, "\(later)")
        #expect(link.now > began + .seconds(1000))
    }

    @Test("While new records arrive, the pauses remain short, however long the outage lasts.")
    func drives() {
        var link = failing()
        var failed = link.now
        var longest = Duration.zero
        for sequence in 2...1500 as ClosedRange<Int64> {
            link.append(sequence)
            _ = link.handle(.recordsCommitted, after: .seconds(10))
            guard let next = link.armed, next - link.now < .seconds(10) else { continue }
            longest = max(longest, next - failed)
            _ = link.timer()
            _ = link.settle(.linkFailed(reason: "unreachable"))
            failed = link.now
        }
        #expect(failed > Instant(seconds: 15_000))
        #expect(longest > .seconds(11) && longest <= .seconds(18.75), "\(longest)")
    }

    @Test(
        "A new record shortens no pause after an answer of the server.",
        arguments: [
            (Verdict.retry(reason: "busy", after: .seconds(600)), Duration.seconds(600)),
            (.unauthorised(reason: "no"), .seconds(5)),
        ])
    func ofServer(verdict: Verdict, pause: Duration) {
        // The link has failed before, and the server answers now.
        var link = failing()
        _ = link.timer()
        _ = link.settle(verdict)
        let next = link.armed
        #expect((next ?? link.now) - link.now >= pause)
        link.append(2)
        #expect(link.handle(.recordsCommitted, after: .seconds(1)) == [])
        #expect(link.armed == next)
    }

    @Test("A new record shortens no pause without a network, because the kernel reports when the network returns.")
    func offline() {
        var link = failing()
        _ = link.handle(.networkLost)
        let next = link.armed
        link.append(2)
        #expect(link.handle(.recordsCommitted, after: .seconds(1)) == [])
        #expect(link.armed == next)
    }

    @Test("After failures of the link, the pauses for a server's failures grow from 32 s on to 5 min.")
    func bothFail() {
        var link = failing()
        _ = pauses(&link, for: .seconds(600))
        var pauses: [Double] = []
        for _ in 0..<6 {
            _ = link.timer()
            _ = link.settle(.retry(reason: "status 502", after: nil))
            pauses.append(((link.armed ?? link.now) - link.now).inSeconds)
        }
        #expect(isNear(pauses, [32, 64, 128, 256, 300, 300]), "\(pauses)")
    }

    @Test("A success ends the outage, so the next outage begins with short pauses.")
    func nextOutage() {
        var link = failing()
        _ = pauses(&link, for: .seconds(10_000))
        _ = link.timer()
        _ = link.settle(.delivered)
        link.append(2)
        #expect(link.handle(.recordsCommitted, after: .seconds(3600)) == [[2]])
        #expect(link.settle(.linkFailed(reason: "unreachable")) == [])
        let early = pauses(&link, for: .seconds(600))
        #expect(isNear(Array(early.prefix(5)), [1, 2, 4, 8, 15]), "\(early)")
    }
}
