import Motion
import Quantities

private enum Operation: String, CaseIterable {
    case identify, stream, readSamples, watch, takeWake
}

extension ChipContract {
    func failures(_ make: () -> some ChipBench) {
        for operation in Operation.allCases {
            for isLost in [false, true] {
                var count = 0
                while count < 300, failed(operation, after: count, isLost: isLost, make()) { count += 1 }
                require(count > 0, "throws when the bus fails during \(operation.rawValue)")
                require(count < 300, "ends \(operation.rawValue)")
            }
        }
    }

    /// Lets `count` transfers of an operation succeed and makes the next one fail; returns whether this caused a bus error.
    /// If so, repeats the operation and checks the chip.
    private func failed(
        _ operation: Operation, after count: Int, isLost: Bool, _ bench: some ChipBench
    ) -> Bool {
        prepare(operation, bench)
        bench.fail(after: count, isLost: isLost)
        do throws(ChipError) {
            _ = try run(operation, bench)
            bench.cancelFailures()
            return false
        } catch {
            guard case .bus = error else {
                violations.append("reports the bus error in \(operation.rawValue), not: \(error)")
                return false
            }
        }
        let place = "transfer \(count) of \(operation.rawValue) has \(isLost ? "lost its answer" : "failed")"
        let result = expect("succeeds on the second attempt when \(place)") { () throws(ChipError) in
            try run(operation, bench)
        }
        check(operation, after: place, result: result ?? .nothing, isLost: isLost, bench)
        return true
    }

    private enum Result {
        case nothing
        case samples([AccelerationSample])
        case wake(Bool)
    }

    private func run(_ operation: Operation, _ bench: some ChipBench) throws(ChipError) -> Result {
        switch operation {
        case .identify: try chip.identify(on: bench.bus)
        case .stream: try chip.stream(on: bench.bus)
        case .readSamples: return .samples(try chip.readSamples(on: bench.bus).samples)
        case .watch: try chip.watch(above: Self.threshold, on: bench.bus)
        case .takeWake: return .wake(try chip.takeWake(on: bench.bus))
        }
        return .nothing
    }

    private var waiting: [AccelerationSample] { (0..<min(5, chip.depth)).map(numbered) }

    private func prepare(_ operation: Operation, _ bench: some ChipBench) {
        switch operation {
        case .identify, .stream:
            bench.feed(Self.up * gravity)
        case .readSamples:
            settle(bench, Self.up)
            waiting.forEach(bench.feed)
        case .watch:
            settle(bench, Self.up)
        case .takeWake:
            settle(bench, Self.up)
            _ = arm(bench)
            shake(bench, Self.up, Self.up * Self.active)
        }
    }

    private func check(
        _ operation: Operation, after place: String, result: Result, isLost: Bool, _ bench: some ChipBench
    ) {
        switch (operation, result) {
        case (.readSamples, .samples(let samples)):
            require(
                matches(samples, waiting.suffix(samples.count)), "returns the newest samples, or none, when \(place)")
            streamsRight(bench, place)
        case (.stream, _):
            streamsRight(bench, place)
        case (.watch, _):
            watchesRight(bench, place)
        case (.takeWake, .wake(let isAwake)):
            require(isAwake || isLost, "still reports motion when \(place)")
            require(!bench.isInterruptActive, "releases the interrupt line when \(place) and it is read again")
        case (.identify, _), (.readSamples, _), (.takeWake, _):
            break
        }
    }

    /// Makes the chip disappear or lose its settings before each operation.
    func losses(_ make: () -> some ChipBench) {
        for operation in Operation.allCases {
            let bench = make()
            prepare(operation, bench)
            bench.remove(true)
            do throws(ChipError) {
                _ = try run(operation, bench)
                violations.append("throws in \(operation.rawValue) when the chip is gone")
            } catch {
                if case .foreign = error {
                    violations.append("reports that the chip is gone, not that it is another one")
                }
            }
            bench.remove(false)
            _ = expect("works again in \(operation.rawValue)") { () throws(ChipError) in try run(operation, bench) }
            begin(bench, "the chip was gone in \(operation.rawValue)")

            let other = make()
            prepare(operation, other)
            other.losePower()
            require(!other.isInterruptActive, "drives no line after a loss of power")
            _ = expect("tolerates a loss of power in \(operation.rawValue)") { () throws(ChipError) in
                try run(operation, other)
            }
            begin(other, "power was lost in \(operation.rawValue)")
        }
    }

    private func begin(_ bench: some ChipBench, _ place: String) {
        bench.feed(Self.up * gravity)
        _ = arm(bench)
        rest(bench, Self.up, 40)
        // A high-pass filter that starts at zero may report gravity as motion once. After this report, the test streams samples
        // and arms the chip again, as the sensor does.
        if wake(bench) == true {
            settle(bench, Self.up)
            _ = arm(bench)
        }
        watchesRight(bench, place)
        _ = expect("streams after \(place)") { () throws(ChipError) in try chip.stream(on: bench.bus) }
        streamsRight(bench, place)
    }

    private func streamsRight(_ bench: some ChipBench, _ place: String) {
        let fed = [numbered(4), numbered(2), numbered(7)]
        require(matches(streamed(fed, bench), fed), "streams as usual after \(place)")
        require(!bench.isInterruptActive, "drives no line after \(place)")
    }

    private func watchesRight(_ bench: some ChipBench, _ place: String) {
        rest(bench, Self.up, 40)
        require(!bench.isInterruptActive, "rests as usual after \(place)")
        shake(bench, Self.up, Self.up * Self.active)
        require(bench.isInterruptActive, "wakes as usual after \(place)")
        require(wake(bench) == true && !bench.isInterruptActive, "reports a wake as usual after \(place)")
    }
}
