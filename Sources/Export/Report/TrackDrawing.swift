import Quantities
import Tracking

/// The track to scale: coloured by speed, with numbered stops, a scale bar and a north arrow.
struct TrackDrawing {
    private struct Vertex {
        let place: MapProjection.Place
        /// The class of the mean speed since the previous vertex.
        let speedClass: Int
    }

    let projection: MapProjection
    private let scale: SpeedScale
    private let lines: [[Vertex]]
    private let marks: [StopMark]
    private let hasArrows: Bool

    /// The largest distance of a removed point from the drawn line, in units.
    private static let tolerance = 0.5

    init?(_ segments: [[ReportCollector.Sample]], stops: [Coordinate?], scale: SpeedScale, hasArrows: Bool) {
        let places = segments.joined().lazy.map(\.coordinate)
        guard let projection = MapProjection(Array(places) + stops.compactMap(\.self)) else { return nil }
        self.projection = projection
        self.scale = scale
        self.hasArrows = hasArrows
        lines = segments.map { Self.line($0, projection, scale) }
        marks = StopMark.marks(stops, projection)
    }

    var vertexCount: Int { lines.reduce(0) { $0 + $1.count } }

    var markup: Markup {
        """
        <svg class="map" viewBox="0 0 \(MapProjection.width) \(projection.height)" role="img" \
        aria-label="The track, coloured by speed, with the stops">\(grid)<g class="casing">\(casing)</g>\
        <g class="track">\(track)</g><g class="arrow">\(hasArrows ? arrows : "")</g>\(Markup(marks.map(\.markup)))\(scaleBar)\(northArrow)</svg>
        """
    }

    /// Leaves out the points that the drawing does not need; each mean speed is between two remaining points.
    private static func line(
        _ samples: [ReportCollector.Sample], _ projection: MapProjection, _ scale: SpeedScale
    ) -> [Vertex] {
        var thinning = TrackThinning(bound: projection.unit * tolerance)
        var isKept = Array(repeating: true, count: samples.count)
        func remove(_ indices: [Int64]) { for index in indices { isKept[Int(index)] = false } }
        for (index, sample) in samples.enumerated() {
            remove(
                thinning.add(
                    TrackThinning.Point(sequence: Int64(index), coordinate: sample.coordinate, time: sample.time)))
        }
        remove(thinning.finish())
        var line: [Vertex] = []
        var last: ReportCollector.Sample?
        for (sample, isKept) in zip(samples, isKept) where isKept {
            // The thinned line is right at each time, within the tolerance, so its mean speeds are those of the drive.
            let mean = last.map { $0.meanSpeed(to: sample) } ?? sample.speed
            line.append(Vertex(place: projection.place(sample.coordinate), speedClass: scale.index(of: mean)))
            last = sample
        }
        return line
    }

    private var track: Markup {
        var paths = Array(repeating: "", count: scale.classes)
        for line in lines {
            var drawn: Int?
            for (before, vertex) in zip(line, line.dropFirst()) {
                if drawn != vertex.speedClass { paths[vertex.speedClass] += "M\(Self.pair(before.place))" }
                paths[vertex.speedClass] += "L\(Self.pair(vertex.place))"
                drawn = vertex.speedClass
            }
        }
        return Markup(
            paths.enumerated().filter { !$0.element.isEmpty }.map {
                #"<path class="s\#($0.offset)" d="\#(path: $0.element)"/>"#
            }
        )
    }

    private var casing: Markup {
        let path = lines.map { line in
            line.enumerated().map { ($0.offset == 0 ? "M" : "L") + Self.pair($0.element.place) }.joined()
        }.joined()
        return #"<path d="\#(path: path)"/>"#
    }

    private var arrows: Markup {
        var path = ""
        for line in lines {
            var rest = Self.arrowDistance / 2
            for (before, vertex) in zip(line, line.dropFirst()) {
                let (across, down) = (vertex.place.x - before.place.x, vertex.place.y - before.place.y)
                let length = (across * across + down * down).squareRoot()
                guard length >= rest, length > 0 else {
                    rest -= length
                    continue
                }
                let (x, y) = (across / length, down / length)
                let tip = MapProjection.Place(x: before.place.x + x * rest, y: before.place.y + y * rest)
                path += "M\(Self.pair(tip.moved(-11 * x - 5 * y, -11 * y + 5 * x)))L\(Self.pair(tip))"
                path += "L\(Self.pair(tip.moved(-11 * x + 5 * y, -11 * y - 5 * x)))Z"
                rest = max(Self.arrowDistance - (length - rest), Self.arrowDistance / 4)
            }
        }
        return path.isEmpty ? "" : #"<path d="\#(path: path)"/>"#
    }

    private static let arrowDistance = 130.0

    private static func pair(_ place: MapProjection.Place) -> String {
        PlainText.pair(place.x, place.y)
    }
}

extension ReportCollector.Sample {
    fileprivate func meanSpeed(to next: Self) -> MetresPerSecond {
        let seconds = (next.time - time).inSeconds
        return seconds > 0 ? MetresPerSecond(coordinate.distance(to: next.coordinate).value / seconds) : next.speed
    }
}

// MARK: - Scale and north

extension TrackDrawing {
    /// The distance between two lines is the length of the scale bar.
    private var grid: Markup {
        let step = projection.scaleBar.value / projection.unit.value
        var path = ""
        for x in stride(from: step, to: MapProjection.width, by: step) {
            path += "M\(PlainText.number(x, decimals: 1) ?? "0") 0V\(Int(projection.height))"
        }
        for y in stride(from: step, to: projection.height, by: step) {
            path += "M0 \(PlainText.number(y, decimals: 1) ?? "0")H\(Int(MapProjection.width))"
        }
        return #"<path class="grid" d="\#(path: path)"/>"#
    }

    private var scaleBar: Markup {
        let length = projection.scaleBar.value / projection.unit.value
        return """
            <g class="scale" transform="translate(24 \(projection.height - 22))"><path d="M0 -8V0H\(length)V-8"/>\
            <g transform="translate(\(length / 2) -6)"><text class="zoom">\(projection.scaleLabel)</text></g></g>
            """
    }

    private var northArrow: Markup {
        """
        <g transform="translate(\(MapProjection.width - 34) 40)"><g class="north zoom">\
        <path d="M0 -22L8 6L0 1L-8 6Z"/><text y="22">N</text></g></g>
        """
    }
}

extension MapProjection.Place {
    fileprivate func moved(_ across: Double, _ down: Double) -> Self { Self(x: x + across, y: y + down) }
}

struct StopMark: Sendable, Hashable {
    private(set) var numbers: [Int]
    let place: MapProjection.Place

    /// In units; nearer stops share a mark.
    private static let nearest = 30.0
    private static let mostNumbers = 3

    /// The number of a position is its place in the list, from 1.
    static func marks(_ positions: [Coordinate?], _ projection: MapProjection) -> [StopMark] {
        var marks: [StopMark] = []
        for (index, position) in positions.enumerated() {
            guard let position else { continue }
            let place = projection.place(position)
            if let near = marks.firstIndex(where: { $0.place.isNear(place, within: nearest) }) {
                marks[near].numbers.append(index + 1)
            } else {
                marks.append(StopMark(numbers: [index + 1], place: place))
            }
        }
        return marks
    }

    var label: String {
        let shown = numbers.prefix(Self.mostNumbers).map(String.init).joined(separator: " · ")
        return numbers.count > Self.mostNumbers ? "\(shown) …" : shown
    }

    var markup: Markup {
        let half = max(13, Double(label.count) * 4 + 9)
        let list = numbers.map(String.init).joined(separator: ", ")
        return """
            <g transform="translate(\(place.x) \(place.y))"><g class="stop zoom"><title>Stop \(list)</title>\
            <rect x="\(-half)" y="-13" width="\(2 * half)" height="26" rx="13"/><text y="5">\(label)</text></g></g>
            """
    }
}

extension MapProjection.Place {
    fileprivate func isNear(_ other: Self, within distance: Double) -> Bool {
        let (across, down) = (other.x - x, other.y - y)
        return across * across + down * down < distance * distance
    }
}
