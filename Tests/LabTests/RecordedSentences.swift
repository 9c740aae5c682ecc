import Foundation

/// A recorded log of NMEA sentences, by epoch.
///
/// A test can send the sentences again with another time.
struct RecordedSentences {
    struct Epoch {
        /// The sentences of the epoch, each as a list of fields without the checksum.
        fileprivate let sentences: [[String]]
    }

    let epochs: [Epoch]

    /// Reads a log in which each epoch starts with GGA.
    init(_ log: URL) throws {
        let lines = try String(contentsOf: log, encoding: .ascii).split(whereSeparator: \.isNewline)
        var epochs: [[[String]]] = []
        for line in lines {
            let body = line.dropFirst().prefix { $0 != "*" }
            let fields = body.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            if fields[0].hasSuffix("GGA") { epochs.append([]) }
            if !epochs.isEmpty { epochs[epochs.count - 1].append(fields) }
        }
        self.epochs = epochs.map(Epoch.init)
    }
}

extension RecordedSentences.Epoch {
    /// The same position with a speed of zero.
    var standing: Self {
        Self(
            sentences: sentences.map { fields in
                var fields = fields
                switch fields[0].suffix(3) {
                case "RMC": fields[7] = "0.000"
                case "VTG": (fields[5], fields[7]) = ("0.000", "0.00")
                default: break
                }
                return fields
            })
    }

    /// Returns the sentences with this time and with their checksums.
    func sentences(at date: Date) -> String {
        let parts = Self.calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
        let clock = Self.digits([parts.hour, parts.minute, parts.second]) + ".00"
        let day = Self.digits([parts.day, parts.month, parts.year])
        return sentences.map { fields in
            var fields = fields
            switch fields[0].suffix(3) {
            case "GGA": fields[1] = clock
            case "RMC": (fields[1], fields[9]) = (clock, day)
            default: break
            }
            let body = fields.joined(separator: ",")
            let sum = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
            return "$" + body + "*" + (sum.count < 2 ? "0" : "") + sum + "\r\n"
        }.joined()
    }

    private static let calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }()

    /// Returns the last two digits of each number.
    private static func digits(_ numbers: [Int?]) -> String {
        numbers.map { number in
            let number = (number ?? 0) % 100
            return number < 10 ? "0\(number)" : "\(number)"
        }.joined()
    }
}
