package import Quantities

/// What a window of acceleration says beyond motion: where it pushed, and what its hardest blow was.
package struct Forces: Sendable, Hashable {
    /// A blow: what was felt beyond the mean of the window before, so that gravity and steady braking are not in it.
    package struct Blow: Sendable, Hashable {
        /// The strongest reading of it.
        package let peak: Acceleration
        /// How long the readings were beyond `MotionWindow.blowLevel`; zero when none was.
        package let lasted: Duration

        /// Makes a blow.
        package init(peak: Acceleration, lasted: Duration) {
            self.peak = peak
            self.lasted = lasted
        }
    }

    /// The mean of the readings: gravity, and how the vehicle changed its speed and its course.
    package let mean: AccelerationSample
    /// The hardest blow.
    package let blow: Blow

    /// Makes what a window says.
    package init(mean: AccelerationSample, blow: Blow) {
        self.mean = mean
        self.blow = blow
    }
}
