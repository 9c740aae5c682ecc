import Calendar
import Quantities
import Tracking

struct ReportCollector: Sendable {
    struct Sample: Sendable, Hashable {
        let time: Timestamp
        let coordinate: Coordinate
        let speed: MetresPerSecond
        /// True for the parked place, which is not a fix of this time.
        var isDeparture = false
    }

    /// Divided at gaps.
    private(set) var segments: [[Sample]] = []
    private(set) var states: StateSpans
    private(set) var stops = StopList()
    private(set) var events: [ReportEvent] = []
    private(set) var uploads: [UploadStrip]
    private(set) var count = 0
    /// From the odometer, by days since 1970.
    private(set) var distances: [Int: Metres] = [:]
    /// The highest speed of a record, or between two records of a segment.
    private(set) var topSpeed = MetresPerSecond.zero

    private let input: ReportInput
    private var divider = TrackDivider()
    private var last: (time: Timestamp, odometer: Metres)?
    /// If the pause between two points is longer, their speeds do not represent the speed between the points.
    private static let longestStep = Duration.seconds(10)

    init(_ input: ReportInput) {
        self.input = input
        states = StateSpans(input.recorded)
        uploads = input.targets.map { UploadStrip(target: $0, span: input.shown) }
    }

    var distance: Metres { distances.values.map(\.value).sorted().reduce(.zero) { $0 + Metres($1) } }

    /// `uploads` has a state for each target of the input.
    mutating func add(_ record: Record, uploads states: [UploadState]) {
        count += 1
        self.states.add(record)
        addTrack(record)
        addDistance(record)
        stops.add(record)
        if let event = ReportEvent(record) { events.append(event) }
        for (index, state) in zip(uploads.indices, states) { uploads[index].add(state, at: record.time) }
    }

    mutating func finish() {
        states.finish()
        stops.finish()
    }

    private mutating func addTrack(_ record: Record) {
        if case .trip(let number) = input.subject, record.trip != number { return }
        // Until a stop is confirmed, points later than the arrival are recorded; the track omits them.
        if record.kind == .location, states.isParked { return }
        guard let place = divider.place(record), let position = record.position else { return }
        if place != .sameSegment { segments.append([]) }
        let (time, coordinate) = (record.time, position.coordinate)
        let last = segments[segments.count - 1].last
        if let last { addMean(from: last, to: coordinate, at: time) }
        // At a change of state, the vehicle begins to move or has just come to rest.
        let atRest: MetresPerSecond? = record.kind == .motionchange ? .zero : nil
        let speed = atRest ?? position.speed ?? last.flatMap { Self.mean(from: $0, to: coordinate, at: time) }
        let isDeparture = record.kind == .motionchange && record.isMoving
        add(Sample(time: time, coordinate: coordinate, speed: speed ?? .zero, isDeparture: isDeparture))
    }

    /// Adds the mean speed between points far apart in time. These are mostly at bends, where the vehicle is slower
    /// than in between.
    private mutating func addMean(from last: Sample, to place: Coordinate, at time: Timestamp) {
        guard time - last.time > Self.longestStep, let speed = Self.mean(from: last, to: place, at: time)
        else { return }
        let middle = last.time + (time - last.time) / 2
        add(Sample(time: middle, coordinate: last.coordinate.between(place, share: 0.5), speed: speed))
    }

    private mutating func add(_ sample: Sample) {
        segments[segments.count - 1].append(sample)
        topSpeed = max(topSpeed, sample.speed)
    }

    private mutating func addDistance(_ record: Record) {
        defer { last = (record.time, record.odometer) }
        guard let last, record.odometer > last.odometer else { return }
        let step = record.odometer - last.odometer
        // If the odometer grows faster than any vehicle drives, a command or a server has set it.
        guard step.value <= Fix.fastest.value * max(1, (record.time - last.time).inSeconds) else { return }
        let day = input.zone.local(at: record.time).date.daysSince1970
        distances[day, default: .zero] = distances[day, default: .zero] + step
    }

    /// Nil if `sample` is a departure, whose place is not a fix, or if the mean is impossible.
    private static func mean(from sample: Sample, to place: Coordinate, at time: Timestamp) -> MetresPerSecond? {
        let seconds = (time - sample.time).inSeconds
        guard !sample.isDeparture else { return nil }
        guard seconds > 0 else { return sample.speed }
        let mean = MetresPerSecond(sample.coordinate.distance(to: place).value / seconds)
        return mean <= Fix.fastest ? mean : nil
    }
}

/// The states of the uploads to a target over time: for each column, the worst state in it.
struct UploadStrip: Sendable, Hashable {
    static let columnCount = 250

    let target: String
    private var states: [UploadState?]
    private(set) var counts: [UploadState: Int] = [:]
    private let span: ClosedRange<Timestamp>

    init(target: String, span: ClosedRange<Timestamp>) {
        (self.target, self.span) = (target, span)
        states = Array(repeating: nil, count: Self.columnCount)
    }

    mutating func add(_ state: UploadState, at time: Timestamp) {
        counts[state, default: 0] += 1
        let length = span.upperBound - span.lowerBound
        let share = length > .zero ? (time - span.lowerBound) / length : 0
        let column = min(Self.columnCount - 1, max(0, Int(share * Double(Self.columnCount))))
        states[column] = states[column].map { max($0, state) } ?? state
    }

    /// A column without a record has the state of the previous one, but nil after the last record.
    var columns: [UploadState?] {
        let last = states.lastIndex { $0 != nil } ?? -1
        var current: UploadState?
        return states.enumerated().map { column, state in
            current = column > last ? nil : state ?? current
            return current
        }
    }
}
