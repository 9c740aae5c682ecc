import TrackerDaemon

/// The table of docs/metrics.md.
package enum MetricTable {
    package static var table: String {
        let header = ["| metric | type | labels | what it is |", "| --- | --- | --- | --- |"]
        return (header + Metrics.all.map(row)).joined(separator: "\n")
    }

    private static func row(_ metric: Metric) -> String {
        let labels = metric.labels.map { "`\($0)`" }.joined(separator: ", ")
        return "| `\(metric.name)` | \(metric.kind.rawValue) |\(labels.isEmpty ? "" : " \(labels)") | \(metric.help) |"
    }
}
