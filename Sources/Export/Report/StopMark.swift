import Quantities

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
