package import Motion
import Quantities

/// A chip on a test bench: it can be shaken, and its bus can be made to fail.
package protocol ChipBench: AnyObject {
    associatedtype Bus: RegisterBus

    /// The bus that the chip is on.
    var bus: Bus { get }

    /// Lets the chip measure this acceleration; it keeps acting until the next one.
    func feed(_ sample: AccelerationSample)

    /// Whether the chip pulls its interrupt line.
    var isInterruptActive: Bool { get }

    /// How many transfers there were since the bench was made.
    var transferCount: Int { get }

    /// Lets a transfer fail that is so many transfers away; the chip does its part when only the answer `isLost`.
    func fail(after count: Int, isLost: Bool)

    /// Forgets a failure that has not happened.
    func mend()

    /// Takes the chip off the bus, or puts it back, switched off meanwhile.
    func remove(_ isGone: Bool)

    /// Takes the supply away and gives it back.
    func losePower()

    /// Lets the chip say that it is another one.
    func disguise()
}

/// Checks what every accelerometer chip must do with its driver; gives back what it does otherwise, in sentences.
///
/// A new bench is made for each check, with the chip just switched on.
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

/// The checks, and what they found.
final class ChipContract<Chip: Accelerometer> {
    let chip: Chip
    var violations: [String] = []

    init(chip: Chip) { self.chip = chip }

    func require(_ isSo: Bool, _ sentence: @autoclosure () -> String) {
        let sentence = sentence()
        if !isSo, !violations.contains(sentence) { violations.append(sentence) }
    }

    /// Runs what must not fail.
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
        _ = expect("knows its own chip") { () throws(ChipError) in try chip.identify(on: bench.bus) }
        bench.disguise()
        do throws(ChipError) {
            try chip.identify(on: bench.bus)
            violations.append("refuses another chip")
        } catch {
            guard case .foreign(let model, let expected, let found) = error else {
                violations.append("says of another chip that it is another one, not: \(error)")
                return
            }
            require(model == chip.model && !expected.contains(found), "says which chip it expected, and what it found")
        }
    }

    func stream(_ make: () -> some ChipBench) {
        let bench = make()
        require(chip.rate >= MotionDetector.minimumRate, "is fast enough to judge motion")
        _ = expect("streams") { () throws(ChipError) in try chip.stream(on: bench.bus) }
        require(!bench.isInterruptActive, "leaves the interrupt line alone while it streams")
        require(samples(bench).isEmpty, "gives nothing before something was measured")
        let fed = Self.orientations.map { $0 * gravity } + Self.orientations.map { $0 * (3 * gravity) }
        require(matches(streamed(fed, bench), fed), "gives what was measured, in order, to 0.05 m/s²")
        require(samples(bench).isEmpty, "gives no sample twice")
        require(!bench.isInterruptActive, "leaves the interrupt line alone when it is shaken while it streams")
    }

    func overrun(_ make: () -> some ChipBench) {
        let bench = make()
        _ = expect("streams") { () throws(ChipError) in try chip.stream(on: bench.bus) }
        for index in 0..<chip.depth { bench.feed(numbered(index)) }
        let full = batch(bench)
        require(matches(full.samples, (0..<chip.depth).map(numbered)), "keeps as many samples as it says")
        let count = chip.depth + 7
        for index in 0..<count { bench.feed(numbered(index)) }
        let late = batch(bench)
        require(late.isOverrun, "says that samples were lost")
        let newest = (0..<count).suffix(late.samples.count).map(numbered)
        require(matches(late.samples, newest), "keeps the newest samples when some are lost, or none")
        let fresh = [numbered(3), numbered(1), numbered(2)]
        require(matches(streamed(fresh, bench), fresh), "goes on after samples were lost")
        require(!batch(bench).isOverrun, "says only once that samples were lost")
    }

    func watch(_ make: () -> some ChipBench) {
        for (index, up) in Self.orientations.enumerated() {
            let bench = make()
            settle(bench, up)
            guard arm(bench) != nil else { return }
            let transfers = bench.transferCount
            rest(bench, up, 40)
            require(!bench.isInterruptActive, "is not woken by gravity, whichever way it is mounted")
            // Along every axis in turn, with and across gravity.
            let axis = Self.orientations[(index + 2 * (index / 2)) % 6]
            shake(bench, up, axis * Self.still)
            require(!bench.isInterruptActive, "is not woken by less than the threshold")
            require(bench.transferCount == transfers, "needs no transfer while it watches")
            require(wake(bench) == false, "says that nothing was felt when nothing was")
            shake(bench, up, axis * Self.active)
            require(bench.isInterruptActive, "is woken by more than the threshold, along every axis")
            rest(bench, up, 3)
            require(bench.isInterruptActive, "holds the interrupt line until it is asked")
            require(wake(bench) == true, "says that something was felt")
            require(!bench.isInterruptActive, "lets the interrupt line go when it is asked")
            require(wake(bench) == false, "says only once that something was felt")
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
        require(!bench.isInterruptActive, "lets the interrupt line go when it begins to stream")
        require(wake(bench) == false, "forgets what woke it when it begins to stream")
        require(samples(bench).isEmpty, "gives no sample that is older than the stream")
        let fed = [numbered(1), numbered(5), numbered(9)]
        require(matches(streamed(fed, bench), fed), "streams as before after it has watched")
        settle(bench, Self.up)
        _ = arm(bench)
        shake(bench, Self.up, Self.up * Self.active)
        settle(bench, Self.up)
        _ = arm(bench)
        require(!bench.isInterruptActive && wake(bench) == false, "forgets what woke it when it begins to watch")
        rest(bench, Self.up, 40)
        require(!bench.isInterruptActive, "rests after it was woken")
    }
}
