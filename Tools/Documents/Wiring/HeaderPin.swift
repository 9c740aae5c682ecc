/// A pin of the 40-pin header that all computers of Raspberry Pi have had since 2014.
package enum HeaderPin: Sendable, Hashable {
    case line(Int)
    case volts3
    case volts5
    case ground

    /// What lies on each pin, from pin 1 on (Raspberry Pi's documentation, "GPIO and the 40-pin header").
    package static let all: [HeaderPin] = [
        .volts3, .volts5, .line(2), .volts5, .line(3), .ground, .line(4), .line(14), .ground, .line(15),
        .line(17), .line(18), .line(27), .ground, .line(22), .line(23), .volts3, .line(24), .line(10), .ground,
        .line(9), .line(25), .line(11), .line(8), .ground, .line(7), .line(0), .line(1), .line(5), .ground,
        .line(6), .line(12), .line(13), .ground, .line(19), .line(16), .line(26), .line(20), .ground, .line(21),
    ]

    /// The number of the pin on which a line of the GPIO chip lies, counted from 1.
    package static func number(ofLine line: Int) -> Int? {
        all.firstIndex(of: .line(line)).map { $0 + 1 }
    }

    /// What is printed beside a pin.
    package var name: String {
        switch self {
        case .line(let line): "GPIO\(line)"
        case .volts3: "3.3 V"
        case .volts5: "5 V"
        case .ground: "ground"
        }
    }
}
