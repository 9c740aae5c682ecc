import Foundation
import Glibc
import Motion
import Quantities
import TestSupport

/// A vehicle's effect on its accelerometer, sample by sample at the chip's own rate.
///
/// - Note: Sendable, because the code uses all mutable state only under `lock`, and the chip only through its bus.
final class LabRoad: @unchecked Sendable {
    private let chip: FakeChip
    private let bus: LabBus
    private let pause_us: UInt32
    private let lock = NSLock()
    private let ended = DispatchSemaphore(value: 0)
    private var isShaking = false
    private var isAsleep = false
    private var isEnding = false

    init(_ chip: FakeChip, on bus: LabBus, rate: Double) {
        (self.chip, self.bus) = (chip, bus)
        pause_us = UInt32(1_000_000 / rate)
        Thread.detachNewThread { self.run() }
    }

    func isDriving(_ isDriving: Bool) { lock.withLock { isShaking = isDriving } }

    /// Pauses or continues the samples.
    ///
    /// While the program reads no samples, a pause has the same effect as samples at rest, and saves processor time.
    func isAsleep(_ isAsleep: Bool) { lock.withLock { self.isAsleep = isAsleep } }

    func stop() {
        lock.withLock { isEnding = true }
        ended.wait()
    }

    private func run() {
        var index = 0
        while !lock.withLock({ isEnding }) {
            let (isDriving, isAsleep) = lock.withLock { (isShaking, self.isAsleep) }
            guard !isAsleep else {
                usleep(1_000_000)
                continue
            }
            // At rest, the last digit of a working chip still changes; here, every 25th sample differs.
            let force = isDriving ? (index.isMultiple(of: 2) ? 1.5 : -1.5) : (index.isMultiple(of: 25) ? 0.06 : 0)
            let sample = AccelerationSample(x: 0, y: 0, z: Acceleration.gravity.value + force)
            bus.touch { chip.feed(sample) }
            index += 1
            usleep(pause_us)
        }
        ended.signal()
    }
}
