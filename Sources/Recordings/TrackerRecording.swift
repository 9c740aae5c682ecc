import FoundationEssentials
import Quantities
import Tracking

/// Reads a recording by `trackerd record`.
///
/// The first line describes the tracker, and each further line is a report of a sensor.
enum TrackerRecording {
    static func read(_ bytes: [UInt8], file: String) throws(DriveError) -> Drive {
        let decoder = JSONDecoder()
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...]
        guard let first = lines.popFirst(),
            let header = try? decoder.decode(RecordingHeader.self, from: Data(first))
        else {
            throw .malformed(file: file, line: 1, problem: "the line of `trackerd record` about the tracker is missing")
        }
        guard header.recording == RecordingHeader.version else {
            throw .malformed(
                file: file, line: 1, problem: "a newer trackerd has recorded this; replay it with that version")
        }
        // The recording may have ended within a line, so the reader ignores the text after the last line feed.
        lines = lines.dropLast()
        var drive = Drive()
        drive.opening = header
        if header.isIgnitionOn { drive.others.append(.init(.zero, .ignition(isOn: true))) }
        var latest = 0.0
        for (index, line) in lines.enumerated() {
            guard let event = try? decoder.decode(RecordedEvent.self, from: Data(line)) else {
                throw .malformed(file: file, line: index + 2, problem: "this is not a line of a recording")
            }
            guard event.t_s >= latest, event.t_s < 1e9 else {
                throw .malformed(file: file, line: index + 2, problem: "`t_s` decreases or is too large")
            }
            latest = event.t_s
            let time = Duration(inSeconds: event.t_s)
            if let fix = event.fix { drive.fixes.append(.init(time, fix)) }
            if let event = event.event { drive.others.append(.init(time, event)) }
        }
        return drive
    }
}
