import Hardware
import Logging

/// Tells the log when a source goes out of service, and when it works again: once each, however often it is tried.
struct ComplaintLog {
    private var open: [String: String] = [:]

    mutating func listen(to source: any Device, _ log: Logger) {
        let complaint = source.complaint
        guard complaint != open[source.name] else { return }
        if let complaint { log.warning("\(complaint)") } else { log.notice("\(source.name): works again.") }
        open[source.name] = complaint
    }
}
