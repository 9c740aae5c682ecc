import Logging
import Store
import Tracking

extension QueueDisk.Report {
    /// Whether the queue continues in another file, which all users of the database must open.
    var isOfNewFile: Bool {
        switch self {
        case .begunAnew, .replaced, .restored, .exchanged: true
        case .salvaged, .salvageFailing, .deleted: false
        }
    }

    /// The event for the engine, which records it; nil if only the log contains the report.
    var event: Event? {
        switch self {
        case .replaced(let error, aside: _): .health(HealthReport(.databaseSetAside, reason: "\(error.cause)"))
        case .exchanged: .health(HealthReport(.databaseExchanged))
        case .salvaged(path: _, let records, let missing) where missing > 0:
            .health(HealthReport(.recordsMissing, reason: "copied records: \(records), \(Self.others(missing))"))
        case .begunAnew, .restored, .salvaged, .salvageFailing, .deleted: nil
        }
    }

    func write(to log: Logger) {
        switch self {
        case .begunAnew(let error, let aside):
            log.warning("\(error) The file remains as \(aside). Its records are not sent any more.")
        case .replaced(let error, let aside):
            log.error(
                """
                \(error) Recording continues in a new file. The damaged file remains as \(aside), and trackerd copies its \
                records.
                """)
        case .restored(let path):
            log.warning("\(path): the file was deleted or renamed. trackerd has written all data to a new file.")
        case .exchanged(let path):
            log.warning(
                """
                \(path): another file has replaced this file. Recording continues in the new file; trackerd does not send \
                records that were only in the former file.
                """)
        case .salvaged(let path, let records, let missing):
            let rest = missing == 0 ? "" : " Number of \(Self.others(missing))."
            let copied = "\(records) \(records == 1 ? "record" : "records")"
            log.notice("\(path): trackerd copied \(copied), and no longer needs the file.\(rest)")
        case .salvageFailing(let error):
            log.error("\(error) trackerd has not yet copied the records of a damaged file; retrying.")
        case .deleted(let paths):
            log.notice(
                """
                trackerd has deleted damaged files of earlier faults, after it had copied their readable records: \
                \(paths.joined(separator: ", ")). Replace the card if such faults occur again.
                """)
        }
    }

    private static func others(_ missing: Int) -> String {
        "other records, which are unreadable or were removed earlier: \(missing)"
    }
}

struct QueueLoss {
    enum Cause: String {
        case limits = "the queue exceeded its limits"
        case memory = "the queue in memory reached its limit while the disk accepted no records"

        fileprivate var remedy: String {
            switch self {
            case .limits:
                "To store more records, raise `maxDaysToPersist`, `maxRecordsToPersist` or `maxBytesToPersist`."
            case .memory: "Correct the fault of the disk that the log reports."
            }
        }
    }

    private let loss: Retention.Loss
    private let cause: Cause

    init(_ loss: Retention.Loss, _ cause: Cause) { (self.loss, self.cause) = (loss, cause) }

    /// The event for the engine, which records it; nil if no target needed the records any more.
    var event: Event? {
        guard loss.undelivered > 0 else { return nil }
        let reason = cause == .limits ? counts : "\(cause.rawValue); \(counts)"
        return .health(HealthReport(.recordsRemoved, reason: reason))
    }

    func write(to log: Logger) {
        if loss.delivered > 0 {
            log.info("trackerd removed \(Self.records(loss.delivered, "delivered")), because \(cause.rawValue).")
        }
        guard loss.undelivered > 0 else { return }
        log.warning(
            """
            trackerd removed \(Self.records(loss.undelivered, "undelivered")), because \(cause.rawValue) (\(counts)). \
            \(cause.remedy)
            """)
    }

    private var counts: String {
        "locations removed by thinning to 10 m: \(loss.thinned), other locations: \(loss.locations), events: \(loss.events)"
    }

    private static func records(_ count: Int, _ kind: String) -> String {
        "\(count) \(kind) \(count == 1 ? "record" : "records")"
    }
}
