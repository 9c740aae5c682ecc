/// The program could not read a recorded drive.
package enum DriveError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file is missing, or the program cannot read it; `cause` describes the error.
    case unreadable(file: String, cause: String)
    /// The file name does not have an extension that the program knows.
    case unknownKind(file: String)
    /// A line of the file does not have the expected content.
    case malformed(file: String, line: Int, problem: String)
    /// The recording is longer than a year, so one of its dates must be wrong.
    case tooLong(file: String)
    /// The file has more than `limit` bytes after decompression.
    case tooLarge(file: String, limit: Int)
    /// The file contains no reports to replay.
    case empty(file: String)
    /// No track point has a time.
    case undated(file: String, points: Int)
    /// The folder contains two drives, and another file that can belong to only one of them.
    case severalDrives(folder: String, first: String, second: String, side: String)
    /// The folder contains several drives, but only one is possible here.
    case severalRecordings(folder: String)
    /// Two receivers report alternately.
    case severalReceivers(file: String, first: String, second: String)
    /// The decoder for receiver logs is not installed.
    case noDecoder(file: String)
    /// The decoder does not accept the log.
    case undecodable(file: String)

    /// What happened, and in most cases what to do.
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
