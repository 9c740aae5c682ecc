import Motion
package import Quantities
package import Tracking

/// Plays what the sensors of a timeline say, receiver excepted: verdicts on motion, ignition, beacons.
///
/// While the vehicle is parked between drives an accelerometer that streams reports stillness each second; one that only
/// waits for motion, as the real one does at rest, reports nothing.
package struct SensorTrack: Sendable {
    private let stretches: [Timeline.Stretch]
    private var stretch = 0
    private var sample = 0
    private var other = 0
    private var detector = MotionDetector()
    private var announced: Bool?
    private var parkedUntil: Instant?

    /// Begins at the start of the timeline.
    package init(_ timeline: Timeline) { stretches = timeline.stretches }

    /// Passes over what happened before `moment`; whether there is an accelerometer is told anew.
    package mutating func skip(to moment: Instant) {
        while next(through: moment, isStreaming: false) != nil {}
        parkedUntil = parkedUntil.map { max($0, moment) }
        announced = nil
    }

    /// The next event that happens at `limit` or before; nothing when none does.
    ///
    /// `isStreaming` says whether the accelerometer is listened to, and does not just wait for motion.
    package mutating func next(through limit: Instant, isStreaming: Bool) -> (at: Instant, event: Event)? {
        while stretch < stretches.count {
            let current = stretches[stretch]
            guard current.start <= limit else { return parked(through: limit, isStreaming: isStreaming) }
            if announced != current.drive.hasMotionSensor {
                announced = current.drive.hasMotionSensor
                return (current.start, .motionSensor(isThere: current.drive.hasMotionSensor))
            }
            if let found = nextInDrive(current, through: limit) { return found }
            guard isAtEnd(of: current) else { return nil }
            if parkedUntil == nil { parkedUntil = current.end }
            stretch += 1
            sample = 0
            other = 0
            detector = MotionDetector()
        }
        return parked(through: limit, isStreaming: isStreaming)
    }

    /// When `next` has to be asked again at the latest, with what happened up to `now` taken; nothing when nothing is left to come.
    ///
    /// Samples are taken a second at a time, as from the buffer of a chip.
    package func nextTime(after now: Instant, isStreaming: Bool) -> Instant? {
        if isStreaming || (stretch < stretches.count && stretches[stretch].start <= now) { return now + .seconds(1) }
        return stretch < stretches.count ? stretches[stretch].start : nil
    }

    private func isAtEnd(of current: Timeline.Stretch) -> Bool {
        sample >= current.drive.samples.count && other >= current.drive.others.count
    }

    private mutating func nextInDrive(_ current: Timeline.Stretch, through limit: Instant) -> (
        at: Instant, event: Event
    )? {
        let (drive, start) = (current.drive, current.start)
        let limit = limit - start
        parkedUntil = nil
        while true {
            let otherTime = other < drive.others.count ? drive.others[other].time : nil
            guard sample < drive.samples.count, drive.samples[sample].time <= min(limit, otherTime ?? limit) else {
                guard let otherTime, otherTime <= limit else { return nil }
                other += 1
                return (start + otherTime, drive.others[other - 1].value)
            }
            let reading = drive.samples[sample]
            sample += 1
            if let verdict = detector.add(reading.value, at: start + reading.time), drive.hasMotionSensor {
                return (start + reading.time, .motion(verdict))
            }
        }
    }

    private mutating func parked(through limit: Instant, isStreaming: Bool) -> (at: Instant, event: Event)? {
        guard let last = parkedUntil else { return nil }
        if announced == nil, stretch > 0 {
            announced = stretches[stretch - 1].drive.hasMotionSensor
            return (last, .motionSensor(isThere: announced == true))
        }
        guard announced == true else { return nil }
        guard isStreaming else {
            parkedUntil = max(last, limit)
            return nil
        }
        let moment = last + .seconds(1)
        guard moment <= limit else { return nil }
        parkedUntil = moment
        return (moment, .motion(MotionVerdict(isMoving: false)))
    }
}
