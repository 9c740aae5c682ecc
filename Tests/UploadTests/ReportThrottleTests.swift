@testable import Delivery
import Quantities
import Testing

@Suite("Reports about an unreliable server")
struct ReportThrottleTests {
    private var throttle = ReportThrottle()
    private var reports: [(at: Int, event: UploadReport.Event)] = []

    private mutating func happen(_ event: UploadReport.Event, at second: Int) {
        for report in throttle.take(event, at: Instant(seconds: 1000 + Double(second))) {
            reports.append((second, report))
        }
    }

    private mutating func wait(until second: Int) {
        while let due = throttle.deadline, due <= Instant(seconds: 1000 + Double(second)) {
            let found = throttle.flush(at: due)
            for report in found { reports.append((Int((due - Instant(seconds: 1000)).inSeconds), report)) }
            if found.isEmpty { return }
        }
    }

    @Test("A server that fails every two seconds for ten minutes causes one line per minute after the first lines.")
    mutating func flaky() {
        for second in stride(from: 0, to: 600, by: 2) {
            wait(until: second)
            happen(.failing(reason: "reset"), at: second)
            happen(.recovered(failures: 1), at: second + 1)
        }
        wait(until: 700)
        #expect(reports.prefix(4).map(\.at) == [0, 1, 2, 3])
        #expect(reports.count == 14)
        #expect(reports.dropFirst(4).map(\.at) == Array(stride(from: 60, through: 600, by: 60)))
        #expect(reports[4].event == .unsteady(failures: 28, reason: "reset", isFailing: false))
        #expect(throttle.deadline == nil, "and then rests")
    }

    @Test("Failures and recoveries are reported at once, even if they happen several times a day.")
    mutating func seldom() {
        for hour in 0..<24 {
            happen(.failing(reason: "down"), at: hour * 3600)
            happen(.recovered(failures: 1), at: hour * 3600 + 10)
        }
        #expect(reports.count == 48)
        #expect(throttle.deadline == nil)
    }

    @Test("A server that keeps failing after a time of brief failures is reported as failing.")
    mutating func fails() {
        for second in [0, 2, 4] {
            happen(.failing(reason: "reset"), at: second)
            happen(.recovered(failures: 1), at: second + 1)
        }
        happen(.failing(reason: "down"), at: 6)
        wait(until: 70)
        #expect(reports.last?.event == .unsteady(failures: 2, reason: "down", isFailing: true))
        happen(.recovered(failures: 9), at: 300)
        #expect(reports.last?.event == .recovered(failures: 9))
    }

    @Test("After an hour without a report, again only four pass at once.")
    mutating func rested() {
        happen(.failing(reason: "down"), at: 0)
        for second in stride(from: 3600, to: 3620, by: 2) {
            happen(.failing(reason: "reset"), at: second)
            happen(.recovered(failures: 1), at: second + 1)
        }
        #expect(reports.map(\.at) == [0, 3600, 3601, 3602, 3603])
    }

    @Test("The throttle passes every other event.")
    mutating func others() {
        for second in 0..<20 { happen(.setAside(sequence: Int64(second), reason: "status 400"), at: second) }
        #expect(reports.count == 20)
    }
}
