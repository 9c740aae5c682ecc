import Hardware
import Logging
import Testing

@testable import Control
@testable import TrackerDaemon

@Suite("The log of faults")
struct FaultLogTests {
    private let lines = Lines()

    @Test("The log contains a fault once, a changed fault again, and the recovery once.")
    func changes() {
        var faults = DeviceFaultLog()
        let device = StubDevice()
        let log = Logger(label: "test") { [lines] _ in RecordingHandler(lines: lines) }
        for fault in [nil, StubError(times: 1), StubError(times: 1), StubError(times: 2), nil, nil] {
            device.fault = fault
            faults.update(from: device, log)
        }
        #expect(
            lines.entries == [
                "warning: stub: failed 1 times. Try again.", "warning: stub: failed 2 times. Try again.",
                "notice: stub: works again.",
            ])
    }

    @Test(
        "A degraded device and a device out of service are warnings in the log, because the tracker continues.",
        arguments: [FaultSeverity.degraded, .outOfService])
    func severity(severity: FaultSeverity) {
        var faults = DeviceFaultLog()
        let device = StubDevice()
        device.fault = StubError(times: 1, severity: severity)
        faults.update(from: device, Logger(label: "test") { [lines] _ in RecordingHandler(lines: lines) })
        #expect(lines.entries == ["warning: stub: failed 1 times. Try again."])
    }

    @Test("A remark of a device is one line in the log.")
    func remark() {
        var faults = DeviceFaultLog()
        let device = StubDevice()
        device.remarks = ["stub: changed."]
        for _ in 0..<2 {
            faults.update(from: device, Logger(label: "test") { [lines] _ in RecordingHandler(lines: lines) })
        }
        #expect(lines.entries == ["notice: stub: changed."])
    }

    @Test("Several faults of a device are combined without repetitions.")
    func combined() {
        let (one, two) = (StubError(times: 1), StubError(times: 2, severity: .degraded))
        #expect(CombinedError.combining([]) == nil)
        #expect(CombinedError.combining([one, one]) as? StubError == one)
        let both = CombinedError.combining([two, one, two])
        #expect(both?.description == "stub: failed 2 times. Try again. stub: failed 1 times. Try again.")
        #expect(both?.severity == .outOfService)
        #expect(both?.isSame(as: CombinedError(faults: [two, one])) == true)
        #expect(both?.isSame(as: CombinedError(faults: [one, two])) == false)
    }
}

private final class Lines: @unchecked Sendable { var entries: [String] = [] }

private struct StubError: Fault {
    var times: Int
    var severity = FaultSeverity.outOfService
    var subject: String { "stub" }
    var cause: String { "failed \(times) times" }
    var remedy: String? { "Try again." }
}

private final class StubDevice: Device {
    let name = "stub"
    var fault: (any Fault)?
    var remarks: [String] = []

    func takeRemarks() -> [String] {
        defer { remarks = [] }
        return remarks
    }
}

private struct RecordingHandler: LogHandler {
    let lines: Lines
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { lines.entries.append("\(event.level): \(event.message)") }
}
