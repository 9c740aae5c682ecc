import Motion
import Quantities
import Testing

@Suite("The motion detector")
struct MotionDetectorTests {
    /// Plays one second of vibration per level, and returns the verdict after each second.
    private func verdicts(_ levels: [Double], rate: Int = 25) -> [Bool] {
        var detector = MotionDetector()
        var verdicts: [Bool] = []
        for index in 0...(levels.count * rate) {
            let level = levels[min(index / rate, levels.count - 1)]
            // The standard deviation of a square wave equals its amplitude.
            let vibration = index.isMultiple(of: 2) ? level : -level
            let sample = AccelerationSample(x: 0, y: 0, z: 9.8 + vibration)
            let now = Instant(seconds: Double(index) / Double(rate))
            if let verdict = detector.add(sample, at: now) { verdicts.append(verdict.isMoving) }
        }
        return verdicts
    }

    @Test("Motion begins with the third active window.")
    func begins() {
        #expect(verdicts([0.02, 0.02, 0.5, 0.5, 0.5]) == [false, false, false, false, true])
    }

    @Test("Each verdict of a motion states the onset, which is the start of the first active window.")
    func onset() {
        var detector = MotionDetector()
        var onsets: [Instant?] = []
        for index in 0...(7 * 25) {
            let level = (50..<150).contains(index) ? 0.5 : 0.02
            let sample = AccelerationSample(x: 0, y: 0, z: 9.8 + (index.isMultiple(of: 2) ? level : -level))
            if let verdict = detector.add(sample, at: Instant(seconds: Double(index) / 25)) {
                onsets.append(verdict.onset)
            }
        }
        let began = Instant(seconds: 2)
        #expect(onsets == [nil, nil, nil, nil, began, began, began])
    }

    @Test("A slammed door is not motion, because it affects at most two windows.")
    func door() {
        #expect(verdicts([0.02, 3, 3, 0.02, 0.02, 3, 0.02]).allSatisfy { !$0 })
    }

    @Test("Motion continues with two still windows among four, but not with three.")
    func ends() {
        #expect(verdicts([0.5, 0.5, 0.02, 0.5, 0.02, 0.02]) == [false, false, false, true, true, false])
    }

    @Test("A window between the two levels does not change the verdict.")
    func hysteresis() {
        #expect(verdicts([0.15, 0.15, 0.15]) == [false, false, false])
        #expect(verdicts([0.5, 0.5, 0.15, 0.15]) == [false, false, true, true])
    }

    @Test(
        "Motion is detected in the same way in any mounting.",
        arguments: [(9.8, 0.0, 0.0), (0.0, -9.8, 0.0), (5.66, 5.66, 5.66)])
    func mounting(x: Double, y: Double, z: Double) {
        var detector = MotionDetector()
        var last: MotionVerdict?
        for index in 0...75 {
            let factor = 1 + (index.isMultiple(of: 2) ? 0.05 : -0.05)
            let sample = AccelerationSample(x: x * factor, y: y * factor, z: z * factor)
            last = detector.add(sample, at: Instant(seconds: Double(index) / 25)) ?? last
        }
        #expect(last?.isMoving == true)
    }

    @Test("A chip with a sample rate that is too low causes no verdicts.")
    func slow() {
        #expect(verdicts([3, 3, 3, 3], rate: 4).isEmpty)
        #expect(verdicts([3, 3, 3, 3], rate: 5).count == 4)
    }
}
