package import Hardware
package import Quantities
package import Tracking

package protocol ScannerBench: AnyObject {
    /// Does not scan on a new bench.
    var scanner: any BeaconScanner { get }

    var now: Instant { get }

    /// Lets time pass, with one beacon within range, and returns the scanner's events.
    func events(during span: Duration) -> [Event]
}

/// Returns the violations as sentences.
///
/// The bench must send `beacon`, and the scanner must hear it at least twice per second. If the controller dropped
/// duplicates, the scanner would hear it only once.
package func violationsOfScannerContract(
    hearing beacon: BeaconSighting, _ make: () throws -> some ScannerBench
) rethrows -> [String] {
    var checks = ScannerContract(beacon: beacon)
    let bench = try make()
    checks.neverAsked(bench)
    checks.listens(bench)
    checks.calledTooEarly(bench)
    checks.listensLess(bench)
    checks.listensNoMore(bench)
    checks.listensAgain(bench)
    return checks.violations
}

private struct ScannerContract {
    let beacon: BeaconSighting
    var violations: [String] = []

    private mutating func require(_ isSo: Bool, _ sentence: String) {
        if !isSo { violations.append(sentence) }
    }

    mutating func neverAsked(_ bench: some ScannerBench) {
        require(bench.scanner.wait == Wait(), "does not wait before a scan is requested")
        bench.scanner.scan(.off, at: bench.now)
        require(bench.events(during: .seconds(1)).isEmpty, "reports no sighting before it is switched on")
        require(bench.scanner.wait == Wait(), "has no deadline and no descriptor while it is off")
        require(bench.scanner.fault == nil, "has no fault before it is switched on")
    }

    mutating func listens(_ bench: some ScannerBench) {
        bench.scanner.scan(.full, at: bench.now)
        bench.scanner.scan(.full, at: bench.now)
        let events = bench.events(during: .seconds(4))
        require(events.count >= 5, "reports a beacon each time that it is heard")
        require(events.allSatisfy { $0 == .beacon(beacon) }, "reports the beacon's identity and signal strength")
        require(bench.scanner.fault == nil, "has no fault while it listens")
    }

    mutating func calledTooEarly(_ bench: some ScannerBench) {
        while !bench.scanner.advance(at: bench.now).isEmpty {}
        require(bench.scanner.advance(at: bench.now).isEmpty, "sends no events when it is called too early")
    }

    mutating func listensLess(_ bench: some ScannerBench) {
        bench.scanner.scan(.low, at: bench.now)
        _ = bench.events(during: .seconds(1))
        require(bench.scanner.wait.deadline == nil, "leaves the timing to the controller")
        require(bench.events(during: .seconds(11)).contains(.beacon(beacon)), "hears the beacon from time to time")
    }

    mutating func listensNoMore(_ bench: some ScannerBench) {
        bench.scanner.scan(.off, at: bench.now)
        bench.scanner.scan(.off, at: bench.now)
        require(bench.events(during: .seconds(3)).isEmpty, "reports nothing after the scan was switched off")
        require(bench.scanner.wait == Wait(), "waits for nothing after the scan was switched off")
        require(bench.scanner.fault == nil, "has no fault after the scan was switched off")
    }

    mutating func listensAgain(_ bench: some ScannerBench) {
        bench.scanner.scan(.full, at: bench.now)
        bench.scanner.scan(.off, at: bench.now)
        bench.scanner.scan(.full, at: bench.now)
        require(bench.events(during: .seconds(4)).count >= 5, "scans again on request")
        bench.scanner.scan(.off, at: bench.now)
        _ = bench.events(during: .seconds(1))
    }
}
