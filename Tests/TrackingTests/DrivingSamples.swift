import Motion
import Quantities

@testable import Tracking

extension Samples {
    /// Returns a good fix of a moving vehicle; the driving rules use only speed and course.
    static func driving(_ seconds: Double, speed: Double?, course: Double? = 90, accuracy: Double = 5) -> AcceptedFix? {
        var fix = fix(seconds, speed: speed, accuracy: accuracy)
        fix.course = course.map(Degrees.init)
        return AcceptedFix(fix)
    }

    /// `x`, `y` and `z` are the mean and `blow` is the peak of the shock, in m/s²; `lasted` is in seconds.
    static func verdict(
        _ x: Double, _ y: Double, _ z: Double, isMoving: Bool = true, blow: Double = 1, lasted: Double = 0
    ) -> MotionVerdict {
        MotionVerdict(
            isMoving: isMoving,
            forces: WindowForces(
                mean: AccelerationSample(x: x, y: y, z: z),
                shock: WindowForces.Shock(peak: Acceleration(blow), lasted: Duration(inSeconds: lasted))))
    }
}
