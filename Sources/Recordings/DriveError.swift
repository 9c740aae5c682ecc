/// A drive that cannot be read.
package enum DriveError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file is not there, or may not be read; `cause` is the system's word for it.
    case unreadable(file: String, cause: String)
    /// The name does not tell what kind of file it is.
    case unknownKind(file: String)
    /// A line does not hold what it should.
    case malformed(file: String, line: Int, problem: String)
    /// The recording spans more than a year: a date in it is wrong.
    case tooLong(file: String)
    /// The file holds nothing that could be replayed.
    case empty(file: String)

    /// One sentence on what happened, and one on what to do.
    package var description: String {
        switch self {
        case .unreadable(let file, let cause):
            "\(file): cannot be read (\(cause)). Check the name and the permissions."
        case .unknownKind(let file):
            "\(file): not a known kind of drive. Give a .csv, .gpx or .json file (gpsd's JSON), gzipped or not, or a folder of these."
        case .malformed(let file, let line, let problem):
            "\(file):\(line): \(problem)."
        case .tooLong(let file):
            "\(file): spans more than a year. Take out the reports whose date is wrong."
        case .empty(let file):
            "\(file): holds no fixes and no samples. Give a recorded drive; the columns are in docs/replay.md."
        }
    }
}
