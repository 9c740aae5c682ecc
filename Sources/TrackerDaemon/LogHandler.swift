import Glibc
package import Logging
import Quantities

/// Writes log lines to standard error: with a priority for journald when that reads them, with the time otherwise.
package struct LineLogHandler: LogHandler {
    /// Values that stand behind each line.
    package var metadata: Logger.Metadata = [:]
    /// What is less important than this is not written.
    package var logLevel: Logger.Level

    private let isForJournal: Bool

    /// Writes lines from `level` on.
    package init(level: Logger.Level) {
        logLevel = level
        isForJournal = getenv("JOURNAL_STREAM") != nil
    }

    /// One value of the metadata.
    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// Writes one line, in one piece.
    package func log(event: LogEvent) {
        let values = metadata.merging(event.metadata ?? [:]) { $1 }
        let tail = values.sorted { $0.key < $1.key }.map { " \($0.key)=\("\($0.value)".printable())" }.joined()
        let message = "\(event.message)".printable(limit: 1000)
        LogOutput.standardError.write("\(head(event.level))\(message)\(tail)") { count in
            "\(head(.warning))\(count) log \(count == 1 ? "line was" : "lines were") lost: nobody read them."
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

    private static func clock() -> String {
        var now = time(nil)
        var parts = tm()
        localtime_r(&now, &parts)
        var text = [CChar](repeating: 0, count: 32)
        strftime(&text, text.count, "%Y-%m-%d %H:%M:%S", &parts)
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
