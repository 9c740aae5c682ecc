import Configuration
import Calendar
import CLinux
import Glibc
package import Logging
import Quantities
import Synchronization

/// Writes each line with a priority for journald, or else with the time and the level.
package struct LineLogHandler: LogHandler {
    package var metadata: Logger.Metadata = [:]
    package var logLevel: Logger.Level

    private let isForJournal: Bool

    package init(level: Logger.Level) {
        logLevel = level
        isForJournal = getenv("JOURNAL_STREAM") != nil
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        let values = metadata.merging(event.metadata ?? [:]) { $1 }
        let tail = values.sorted { $0.key < $1.key }.map { " \($0.key)=\("\($0.value)".printable())" }.joined()
        let message = "\(event.message)".printable(limit: 1000)
        LogOutput.standardError.write("\(head(event.level))\(message)\(tail)") { count in
            "\(head(.warning))\(count) log \(count == 1 ? "line was" : "lines were") lost, because writing to standard error failed."
        }
    }

    private func head(_ level: Logger.Level) -> String {
        isForJournal ? "<\(Self.priority(level))>" : "\(Self.clock()) \(Self.label(level)) "
    }

    private static func priority(_ level: Logger.Level) -> Int {
        switch level {
        case .trace, .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        case .critical: 2
        }
    }

    private static func label(_ level: Logger.Level) -> String {
        let name = level == .notice ? "info" : level.rawValue
        return name + String(repeating: " ", count: max(0, 7 - name.count))
    }

    private static let zone = ZoneFiles().current(getenv("TZ").map { String(cString: $0) })

    /// The end of the year 9999; a wrong system clock may be later still.
    private static let latest_s: Int64 = 253_402_300_799

    private static func clock() -> String {
        let seconds = min(max(0, Int64(time(nil))), latest_s)
        let local = zone.local(at: Timestamp(milliseconds: seconds * 1000))
        let parts = [local.hour, local.minute, local.second].map { padded($0, 2) }
        return "\(local.date) \(parts.joined(separator: ":"))"
    }
}

/// Writes log lines to a descriptor, and never waits for their reader. If the pipe is full, the terminal is stopped or the
/// reader has ended, a line is dropped and counted; a notice of the lost lines precedes the next line that can be written.
final class LogOutput: Sendable {
    static let standardError = LogOutput(STDERR_FILENO)

    /// Lines of at most PIPE_BUF bytes are written as a whole or not at all (pipe(7)).
    private static let longestLine = 4096

    private let descriptor: Int32
    private let isSocket: Bool
    /// The number of lines lost since the last written one; locked while a thread writes.
    private let lost = Mutex(0)

    /// Other processes may write to the shared descriptor too.
    init(_ shared: Int32) {
        var status = stat()
        let isKnown = fstat(shared, &status) == 0
        let kind = isKnown ? status.st_mode & S_IFMT : 0
        isSocket = kind == S_IFSOCK
        // O_NONBLOCK on `shared` itself would also affect the other processes. Open the file once more instead. If this second
        // open fails, `put` writes to `shared`, but only after `poll` has reported room.
        let own =
            kind == S_IFIFO || isatty(shared) == 1
            ? open("/proc/self/fd/\(shared)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) : -1
        descriptor = own >= 0 ? own : shared
    }

    /// Writes a line, cut to `longestLine` bytes; `notice` makes the notice about the number of lines lost before it.
    func write(_ line: String, notice: (Int) -> String) {
        lost.withLock { lost in
            if lost > 0, put(notice(lost)) { lost = 0 }
            if lost > 0 || !put(line) { lost += 1 }
        }
    }

    private func put(_ line: String) -> Bool {
        var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&polled, 1, 0) == 1, polled.revents & Int16(POLLOUT) != 0 else { return false }
        let bytes = Self.bytes(of: line)
        let count =
            isSocket
            ? send(descriptor, bytes, bytes.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
            : Glibc.write(descriptor, bytes, bytes.count)
        return count == bytes.count
    }

    /// The bytes of a line with its line feed, at most `longestLine`.
    private static func bytes(of line: String) -> [UInt8] {
        var bytes = Array(line.utf8)
        if bytes.count >= longestLine {
            var end = longestLine - 1
            // Do not cut within a character. In UTF-8, all bytes of a character after the first begin with the bits 10.
            while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
            bytes.removeSubrange(end...)
        }
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }
}
