package enum DriveError: Error, Sendable, Hashable, CustomStringConvertible {
    case unreadable(file: String, cause: String)
    case unknownKind(file: String)
    case malformed(file: String, line: Int, problem: String)
    /// The drive is longer than a year, so one of its dates must be wrong.
    case tooLong(file: String)
    /// After decompression, the file exceeds `limit` bytes.
    case tooLarge(file: String, limit: Int)
    case empty(file: String)
    case undated(file: String, points: Int)
    /// Two drives, and another file that can belong to only one of them.
    case severalDrives(folder: String, first: String, second: String, side: String)
    case severalRecordings(folder: String)
    case severalReceivers(file: String, first: String, second: String)
    case noDecoder(file: String)
    case undecodable(file: String)

    package var description: String {
        switch self {
        case .unreadable(let file, let cause):
            "\(file): the drive could not be read (\(cause)). Check the name and the permissions."
        case .unknownKind(let file):
            """
            \(file): not a known kind of drive. Use a .csv, .gpx, .json (gpsd's JSON), .nmea, .log or .drive file, plain or \
            gzipped, or a folder of them.
            """
        case .malformed(let file, let line, let problem):
            "\(file):\(line): \(problem)."
        case .tooLong(let file):
            "\(file): the drive spans more than a year. Remove the reports with a wrong date."
        case .tooLarge(let file, let limit):
            "\(file): the drive has more than \(limit >> 20) MiB. Split it into several files."
        case .empty(let file):
            "\(file): the drive has no fixes and no samples. Use a recorded drive; docs/replay.md lists the columns."
        case .undated(let file, let points):
            """
            \(file): none of its \(points) points has a time, and a replay needs one for each. Export the track as it was \
            recorded; a planned route has no times.
            """
        case .severalDrives(let folder, let first, let second, let side):
            """
            \(folder): \(first) and \(second) are two drives, and \(side) belongs to one of them. Put each drive with its files \
            into a folder of its own.
            """
        case .severalRecordings(let folder):
            "\(folder): the folder contains several drives. Name one of its files."
        case .severalReceivers(let file, let first, let second):
            """
            \(file): two receivers report in turn, \(first) and \(second). Keep the lines of one of them, for example with \
            grep '"\(first)"'.
            """
        case .noDecoder(let file):
            """
            \(file): gpsd's decoder `gpsdecode`, which reads receiver logs, is not installed. Install Debian's package \
            gpsd-clients, or record gpsd's JSON with `gpspipe -w`.
            """
        case .undecodable(let file):
            "\(file): gpsd's decoder does not accept it. Check that it is the log of a receiver."
        }
    }
}
