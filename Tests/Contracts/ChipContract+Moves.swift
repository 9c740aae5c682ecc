import Motion
import Quantities

extension ChipContract {
    /// The upward direction in a chip's six orientations.
    static var orientations: [AccelerationSample] {
        [(1.0, 0.0, 0.0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)].map {
            AccelerationSample(x: $0.0, y: $0.1, z: $0.2)
        }
    }

    static var up: AccelerationSample { AccelerationSample(x: 0, y: 0, z: 1) }
    var gravity: Double { 9.80665 }

    /// The wake-up threshold, and movements below and above it, in m/s².
    ///
    /// The coarsest chip has steps of 0.62 m/s², and rounds the threshold up.
    static var threshold: Acceleration { Acceleration(1.0) }
    static var still: Double { 0.8 }
    static var active: Double { 2.5 }

    /// Returns a sample whose values encode its number.
    func numbered(_ index: Int) -> AccelerationSample {
        AccelerationSample(x: Double(index % 50) * 0.5, y: -Double(index % 7) * 0.5, z: 9.8)
    }

    func matches(_ samples: [AccelerationSample], _ expected: some Collection<AccelerationSample>) -> Bool {
        samples.count == expected.count
            && zip(samples, expected).allSatisfy { sample, expected in
                let error = sample - expected
                return [error.x, error.y, error.z].allSatisfy { $0.magnitude <= 0.05 }
            }
    }

    func batch(_ bench: some ChipBench) -> SampleBatch {
        expect("returns its samples") { () throws(ChipError) in try chip.readSamples(on: bench.bus) } ?? SampleBatch([])
    }

    func samples(_ bench: some ChipBench) -> [AccelerationSample] { batch(bench).samples }

    /// Feeds samples no faster than the chip can store them, and returns the samples that the chip reported.
    func streamed(_ fed: [AccelerationSample], _ bench: some ChipBench) -> [AccelerationSample] {
        var samples: [AccelerationSample] = []
        for start in stride(from: 0, to: fed.count, by: chip.depth) {
            fed[start..<min(start + chip.depth, fed.count)].forEach(bench.feed)
            let batch = batch(bench)
            require(chip.depth == 1 || !batch.isOverrun, "reports no loss without one")
            samples += batch.samples
        }
        return samples
    }

    /// Streams samples at rest before a watch begins.
    ///
    /// The duration is enough for the slowest filter, which needs 1.8 s.
    func settle(_ bench: some ChipBench, _ up: AccelerationSample) {
        bench.feed(up * gravity)
        _ = expect("streams") { () throws(ChipError) in try chip.stream(on: bench.bus) }
        rest(bench, up, 40)
        _ = batch(bench)
    }

    func arm(_ bench: some ChipBench) -> Void? {
        expect("watches") { () throws(ChipError) in try chip.watch(above: Self.threshold, on: bench.bus) }
    }

    func wake(_ bench: some ChipBench) -> Bool? {
        expect("reports whether it was woken") { () throws(ChipError) in try chip.takeWake(on: bench.bus) }
    }

    func rest(_ bench: some ChipBench, _ up: AccelerationSample, _ count: Int) {
        for _ in 0..<count { bench.feed(up * gravity) }
    }

    /// Pushes and releases the chip in turn, until the chip wakes or has measured 50 samples.
    func shake(_ bench: some ChipBench, _ up: AccelerationSample, _ push: AccelerationSample) {
        for index in 0..<50 where !bench.isInterruptActive {
            bench.feed(index.isMultiple(of: 2) ? up * gravity + push : up * gravity)
        }
    }
}
