import Motion
package import Quantities
package import Tracking

/// Repeats all events of a timeline except the receiver's reports. While the vehicle is parked after a drive, a
/// streaming accelerometer reports stillness once a second; one that only waits for motion reports nothing, like the
/// real one at rest.
package struct SensorTrack {
    private let timeline: Timeline
    private var stretches: [Timeline.Stretch] { timeline.stretches }
    private var stretch = 0
    private var drive = Drive()
    private var hasMotionSensor = false
    private var hadMotionSensor = false
    private var sample = 0
    private var other = 0
    private var detector = MotionDetector()
    private var announced: Bool?
    private var parkedUntil: Instant?

    package init(_ timeline: Timeline) {
        self.timeline = timeline
        load()
    }

    /// After this call, the track reports again whether there is an accelerometer.
    package mutating func skip(to moment: Instant) {
        while next(through: moment, isStreaming: false) != nil {}
        parkedUntil = parkedUntil.map { max($0, moment) }
        announced = nil
    }

    package mutating func next(through limit: Instant, isStreaming: Bool) -> (at: Instant, event: Event)? {
        while stretch < stretches.count {
            let start = stretches[stretch].start
            guard start <= limit else { return parked(through: limit, isStreaming: isStreaming) }
            if announced != hasMotionSensor {
                announced = hasMotionSensor
                return (start, .motionSensor(isThere: hasMotionSensor))
            }
            if let found = nextInDrive(from: start, through: limit) { return found }
            guard sample >= drive.samples.count, other >= drive.others.count else { return nil }
            if parkedUntil == nil { parkedUntil = stretches[stretch].end }
            stretch += 1
            load()
        }
        return parked(through: limit, isStreaming: isStreaming)
    }

    /// Returns when `next` must be called at the latest. Samples are read a second at a time, as from a chip's FIFO.
    package func nextTime(after now: Instant, isStreaming: Bool) -> Instant? {
        if isStreaming || (stretch < stretches.count && stretches[stretch].start <= now) { return now + .seconds(1) }
        return stretch < stretches.count ? stretches[stretch].start : nil
    }

    private mutating func load() {
        sample = 0
        other = 0
        detector = MotionDetector()
        drive = stretch < stretches.count ? timeline.drive(of: stretches[stretch]) : Drive()
        hadMotionSensor = hasMotionSensor
        hasMotionSensor = drive.hasMotionSensor
    }

    private mutating func nextInDrive(from start: Instant, through limit: Instant) -> (at: Instant, event: Event)? {
        parkedUntil = nil
        let limit = (limit - start).nanoseconds
        let otherTime = other < drive.others.count ? drive.others[other].nanoseconds : nil
        if let (moment, verdict) = nextVerdict(from: start, through: min(limit, otherTime ?? limit)) {
            return (moment, .motion(verdict))
        }
        guard let otherTime, otherTime <= limit else { return nil }
        other += 1
        return (drive.others[other - 1].moment(after: start), drive.others[other - 1].value)
    }

    private mutating func nextVerdict(from start: Instant, through limit: Int64) -> (Instant, MotionVerdict)? {
        while sample < drive.samples.count, drive.samples[sample].nanoseconds <= limit {
            let reading = drive.samples[sample]
            sample += 1
            let moment = reading.moment(after: start)
            if let verdict = detector.add(reading.value, at: moment), hasMotionSensor {
                return (moment, verdict)
            }
        }
        return nil
    }

    private mutating func parked(through limit: Instant, isStreaming: Bool) -> (at: Instant, event: Event)? {
        guard let last = parkedUntil else { return nil }
        if announced == nil, stretch > 0 {
            announced = hadMotionSensor
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
