package import Motion
import Quantities

package protocol ChipBench: AnyObject {
    associatedtype Bus: RegisterBus

    var bus: Bus { get }

    /// Applies this acceleration to the chip until the next call.
    func feed(_ sample: AccelerationSample)

    var isInterruptActive: Bool { get }

    var transferCount: Int { get }

    /// Makes one transfer fail, after the given number of further transfers.
    ///
    /// If `isLost` is true, the chip carries out the transfer, and only the answer is lost.
    func fail(after count: Int, isLost: Bool)

    func cancelFailures()

    /// Unplugs the chip, which then has no supply, or plugs it in again.
    func remove(_ isGone: Bool)

    func losePower()

    /// Makes the chip identify as another model.
    func disguise()
}

/// Returns the violations as sentences.
///
/// Each check gets a new bench with a chip that was just switched on.
package func violationsOfChipContract(
    of chip: some Accelerometer, on make: () -> some ChipBench
) -> [String] {
    let checks = ChipContract(chip: chip)
    checks.identity(make)
    checks.stream(make)
    checks.overrun(make)
    checks.watch(make)
    checks.changes(make)
    checks.failures(make)
    checks.losses(make)
    return checks.violations.map { "\(chip.model) \($0)" }
}

final class ChipContract<Chip: Accelerometer> {
    let chip: Chip
    var violations: [String] = []

    init(chip: Chip) { self.chip = chip }

    func require(_ isSo: Bool, _ sentence: @autoclosure () -> String) {
        let sentence = sentence()
        if !isSo, !violations.contains(sentence) { violations.append(sentence) }
    }

    /// If the operation throws, adds a violation and returns nil.
    func expect<Value>(
        _ sentence: @autoclosure () -> String, _ act: () throws(ChipError) -> Value
    ) -> Value? {
        do {
            return try act()
        } catch {
            violations.append("\(sentence()), but: \(error)")
            return nil
        }
    }

    // MARK: - One operation at a time

    func identity(_ make: () -> some ChipBench) {
        let bench = make()
        _ = expect("recognises its own chip") { () throws(ChipError) in try chip.identify(on: bench.bus) }
        bench.disguise()
        do throws(ChipError) {
            try chip.identify(on: bench.bus)
            violations.append("refuses another chip")
        } catch {
            guard case .foreign(let model, let expected, let found) = error else {
                violations.append("reports another chip as another one, not: \(error)")
                return
            }
            require(
                model == chip.model && !expected.contains(found),
                "reports which chip it expected and which identity it found")
        }
    }

    func stream(_ make: () -> some ChipBench) {
        let bench = make()
        require(chip.rate >= MotionDetector.minimumRate, "is fast enough to judge motion")
        _ = expect("streams") { () throws(ChipError) in try chip.stream(on: bench.bus) }
        require(!bench.isInterruptActive, "does not drive the interrupt line while it streams")
        require(samples(bench).isEmpty, "returns no samples before the first measurement")
        let fed = Self.orientations.map { $0 * gravity } + Self.orientations.map { $0 * (3 * gravity) }
        require(matches(streamed(fed, bench), fed), "returns the measured samples, in order, to 0.05 m/s²")
        require(samples(bench).isEmpty, "returns no sample twice")
        require(!bench.isInterruptActive, "does not drive the interrupt line when it is shaken while it streams")
    }

    func overrun(_ make: () -> some ChipBench) {
        let bench = make()
        _ = expect("streams") { () throws(ChipError) in try chip.stream(on: bench.bus) }
        for index in 0..<chip.depth { bench.feed(numbered(index)) }
        let full = batch(bench)
        require(matches(full.samples, (0..<chip.depth).map(numbered)), "stores as many samples as its depth")
        let count = chip.depth + 7
        for index in 0..<count { bench.feed(numbered(index)) }
        let late = batch(bench)
        require(late.isOverrun, "reports lost samples")
        let newest = (0..<count).suffix(late.samples.count).map(numbered)
        require(matches(late.samples, newest), "keeps the newest samples when some are lost, or none")
        let fresh = [numbered(3), numbered(1), numbered(2)]
        require(matches(streamed(fresh, bench), fresh), "continues after samples were lost")
        require(!batch(bench).isOverrun, "reports lost samples only once")
    }

    func watch(_ make: () -> some ChipBench) {
        for (index, up) in Self.orientations.enumerated() {
            let bench = make()
            settle(bench, up)
            guard arm(bench) != nil else { return }
            require(isWatching(bench) == true, "reads back the settings of its watch")
            let transfers = bench.transferCount
            rest(bench, up, 40)
            require(!bench.isInterruptActive, "is not woken by gravity in any mounting")
            // The bench shakes the chip along every axis in turn, parallel to gravity and at right angles to it.
            let axis = Self.orientations[(index + 2 * (index / 2)) % 6]
            shake(bench, up, axis * Self.still)
            require(!bench.isInterruptActive, "is not woken by less than the threshold")
            require(bench.transferCount == transfers, "needs no transfer while it watches")
            require(wake(bench) == false, "reports no motion without motion")
            shake(bench, up, axis * Self.active)
            require(bench.isInterruptActive, "is woken by more than the threshold, along every axis")
            rest(bench, up, 3)
            require(bench.isInterruptActive, "keeps the interrupt line active until it is read")
            require(wake(bench) == true, "reports motion")
            require(!bench.isInterruptActive, "releases the interrupt line when it is read")
            require(wake(bench) == false, "reports motion only once")
        }
    }

    func changes(_ make: () -> some ChipBench) {
        let bench = make()
        settle(bench, Self.up)
        bench.feed(numbered(1))
        guard arm(bench) != nil else { return }
        shake(bench, Self.up, Self.up * Self.active)
        require(bench.isInterruptActive, "wakes after it has streamed")
        _ = expect("streams after it has watched") { () throws(ChipError) in try chip.stream(on: bench.bus) }
        require(!bench.isInterruptActive, "releases the interrupt line when it starts to stream")
        require(isWatching(bench) == false, "does not take a stream for a watch when it reads its settings back")
        require(wake(bench) == false, "clears its wake event when it starts to stream")
        require(samples(bench).isEmpty, "returns no sample from before the stream")
        let fed = [numbered(1), numbered(5), numbered(9)]
        require(matches(streamed(fed, bench), fed), "streams as before after it has watched")
        settle(bench, Self.up)
        _ = arm(bench)
        shake(bench, Self.up, Self.up * Self.active)
        settle(bench, Self.up)
        _ = arm(bench)
        require(!bench.isInterruptActive && wake(bench) == false, "clears its wake event when it starts to watch")
        rest(bench, Self.up, 40)
        require(!bench.isInterruptActive, "rests after it was woken")
    }

    /// Returns whether the driver reads back the settings of a watch; nil after an error.
    private func isWatching(_ bench: some ChipBench) -> Bool? {
        expect("reads its settings back") { () throws(ChipError) in
            try chip.isWatching(above: Self.threshold, on: bench.bus)
        }
    }
}
