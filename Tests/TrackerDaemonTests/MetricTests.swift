@testable import Configuration
import Delivery
import Formats
import Foundation
import Glibc
import Logging
import Peers
import Quantities
import Testing
@testable import TrackerDaemon
import Tracking

@Suite("The text of the metrics")
struct MetricTextTests {
    private func lines(_ values: MetricValues) -> [String] {
        MetricText.write(values).split(separator: "\n").map(String.init)
    }

    @Test("Each metric has its help and its type before its values, and counters that have not counted are 0.")
    func format() {
        let lines = lines(MetricValues(version: "0.1.0"))
        #expect(
            lines.prefix(6) == [
                "# HELP trackerd_up 1 while the daemon runs, 0 after it has ended normally.",
                "# TYPE trackerd_up gauge", "trackerd_up 1",
                "# HELP trackerd_build_info Always 1; the label `version` is the version of the daemon.",
                "# TYPE trackerd_build_info gauge", #"trackerd_build_info{version="0.1.0"} 1"#,
            ])
        #expect(lines.contains(#"trackerd_records_total{kind="motionchange"} 0"#))
        #expect(lines.contains(#"trackerd_rejected_fixes_total{reason="jump"} 0"#))
        #expect(lines.contains("trackerd_ttff_seconds_count 0"))
    }

    @Test("Values that are unknown are missing, and so are their help and type.")
    func unknown() {
        let text = MetricText.write(MetricValues())
        for name in [
            "supply_volts", "bus_errors_total", "last_ttff_seconds", "last_fix_timestamp_seconds", "queue_records",
        ] {
            #expect(!text.contains("trackerd_\(name)"))
        }
        let oddities = MetricText.write(MetricValues(supply: Volts(.nan), odometer: Metres(.infinity)))
        #expect(!oddities.contains("supply_volts") && !oddities.contains("odometer_meters"))
    }

    @Test("Quotes, backslashes and line feeds in a label are escaped.")
    func escaping() {
        let name = "a\"b\\c\nd {é}"
        let target = MetricValues.Target(
            name: name, waiting: 3, oldest: Timestamp(milliseconds: 1_767_225_600_250), setAside: 1,
            uploads: UploadCounts(), isWorking: false)
        let lines = lines(MetricValues(targets: [target]))
        #expect(lines.contains(#"trackerd_queue_records{target="a\"b\\c\nd {é}"} 3"#))
        #expect(lines.contains(#"trackerd_queue_oldest_timestamp_seconds{target="a\"b\\c\nd {é}"} 1767225600.25"#))
        #expect(lines.contains(#"trackerd_uploads_total{target="a\"b\\c\nd {é}",result="failed"} 0"#))
        #expect(lines.contains(#"trackerd_target_up{target="a\"b\\c\nd {é}"} 0"#))
    }

    @Test("The times to first fix are a sum and a count, and the last time has its own metric.")
    func firstFixes() {
        var values = MetricValues()
        values.firstFixes.add(.seconds(40))
        values.firstFixes.add(.milliseconds(2500))
        let lines = lines(values)
        #expect(lines.contains("# TYPE trackerd_ttff_seconds summary"))
        #expect(lines.contains("trackerd_ttff_seconds_sum 42.5") && lines.contains("trackerd_ttff_seconds_count 2"))
        #expect(lines.contains("trackerd_last_ttff_seconds 2.5"))
    }

    @Test("Names follow Prometheus' conventions, each occurs once, and each label that is written is documented.")
    func names() {
        let target = MetricValues.Target(
            name: "home", waiting: 1, oldest: .init(milliseconds: 0), setAside: 0, uploads: UploadCounts(),
            isWorking: true)
        var values = MetricValues(busErrors: 1, supply: Volts(12), lastFix: .init(milliseconds: 0), targets: [target])
        values.firstFixes.add(.seconds(1))
        #expect(Set(Metrics.all.map(\.name)).count == Metrics.all.count)
        for metric in Metrics.all {
            #expect(metric.name.wholeMatch(of: #/trackerd_[a-z_]+/#) != nil)
            #expect(metric.name.hasSuffix("_total") == (metric.kind == .counter), "\(metric.name)")
            let samples = metric.samples(values)
            #expect(!samples.isEmpty, "\(metric.name)")
            #expect(samples.allSatisfy { $0.labels.map(\.name) == metric.labels }, "\(metric.name)")
            #expect(!metric.help.hasSuffix(".") && !metric.help.contains("|"))
        }
    }

    @Test("A verdict counts as accepted or failed only if the server has seen the upload.")
    func uploads() {
        var counts = UploadCounts()
        let verdicts: [Verdict] = [
            .delivered, .delivered, .withheld, .postponed, .unwritable(reason: ""), .retry(reason: "", after: nil),
            .linkFailed(reason: ""),
            .refused(reason: ""), .timedOut(reason: ""), .unauthorised(reason: ""),
        ]
        for verdict in verdicts { counts.note(verdict) }
        #expect(counts.accepted == 2 && counts.failed == 5)
    }
}

@Suite("The file of the metrics")
struct MetricFileTests {
    private let scratch: Scratch
    private let path: String
    private let log = Log()

    init() throws {
        scratch = try Scratch()
        path = scratch.path + "/t.prom"
    }

    private func file(_ path: String? = nil) -> MetricFile {
        MetricFile(MetricSettings(textfile: path ?? self.path), pace: 1, log: log.logger)
    }

    private var version: String? {
        (try? String(contentsOfFile: path, encoding: .utf8))?.firstMatch(of: #/version="(.*?)"/#).map { String($0.1) }
    }

    private func turn(_ file: inout MetricFile, at second: Double, isPassing: Bool = false) {
        file.turn(at: Instant(seconds: second), isPassing: isPassing) { MetricValues(version: "\(Int(second))") }
    }

    @Test("The file is written at the first wake-up, and then at most once in the interval.")
    func interval() {
        var file = file()
        turn(&file, at: 100)
        #expect(version == "100")
        turn(&file, at: 159)
        #expect(version == "100")
        turn(&file, at: 160)
        #expect(version == "160")
    }

    @Test("Without a change there is no timer; a change within the interval is written when the interval is over.")
    func deadline() {
        var file = file()
        #expect(file.deadline == nil)
        turn(&file, at: 100)
        #expect(file.deadline == nil)
        file.noteChange()
        #expect(file.deadline == Instant(seconds: 160))
        turn(&file, at: 160)
        #expect(file.deadline == nil && version == "160")
    }

    @Test("A position check of a parked vehicle causes the file to be written once, at the end of the check.")
    func check() {
        var file = file()
        turn(&file, at: 100)
        file.noteChange()
        turn(&file, at: 200, isPassing: true)
        #expect(version == "100" && file.deadline == Instant(seconds: 260))
        file.noteChange()
        turn(&file, at: 205)
        #expect(version == "205" && file.deadline == nil)
    }

    @Test("A receiver that remains on while the vehicle is parked delays the file by one interval only.")
    func alwaysOn() {
        var file = file()
        turn(&file, at: 100, isPassing: true)
        #expect(version == "100")
        turn(&file, at: 101)
        for second in stride(from: 150.0, through: 400, by: 1) {
            file.noteChange()
            turn(&file, at: second, isPassing: true)
        }
        #expect(version == "390")
    }

    @Test("Other users can read the file whatever the umask is, and no other file remains beside it.")
    func rights() throws {
        var file = file()
        let mask = umask(0o077)
        turn(&file, at: 100)
        umask(mask)
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o644)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["t.prom"])
    }

    @Test("A reader with the former file open still reads all of it, because the file is replaced and not overwritten.")
    func atomic() throws {
        var file = file()
        turn(&file, at: 100)
        let reader = try #require(FileHandle(forReadingAtPath: path))
        turn(&file, at: 200)
        let text = String(decoding: try reader.readToEnd() ?? Data(), as: UTF8.self)
        #expect(text.contains(#"version="100""#) && text.hasSuffix("\n"))
        #expect(version == "200")
    }

    @Test("A file that cannot be written is reported once with the reason, and once when it can be written again.")
    func fault() throws {
        let folder = scratch.path + "/later"
        var file = file(folder + "/t.prom")
        turn(&file, at: 100)
        turn(&file, at: 200)
        #expect(log.lines.count == 1)
        #expect(
            log.lines[0].hasPrefix("\(folder)/t.prom: trackerd cannot write the metrics (No such file or directory)."))
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        turn(&file, at: 300)
        turn(&file, at: 400)
        #expect(log.lines.dropFirst() == ["\(folder)/t.prom: trackerd writes the metrics again."])
    }

    @Test("A pipe or a link at the name of the temporary file neither blocks the loop nor redirects the metrics.")
    func traps() throws {
        #expect(mkfifo(path + ".new", 0o600) == 0)
        var file = file()
        turn(&file, at: 100)
        #expect(log.lines.count == 1 && version == nil)
        unlink(path + ".new")
        #expect(symlink(scratch.path + "/other", path + ".new") == 0)
        turn(&file, at: 200)
        #expect(!FileManager.default.fileExists(atPath: scratch.path + "/other"))
        #expect(version == nil)
    }

    private final class Log: @unchecked Sendable {
        var lines: [String] = []
        lazy var logger = Logger(label: "test") { [unowned self] _ in Handler(log: self) }

        private struct Handler: LogHandler {
            let log: Log
            var metadata: Logger.Metadata = [:]
            var logLevel = Logger.Level.trace

            subscript(metadataKey key: String) -> Logger.Metadata.Value? {
                get { metadata[key] }
                set { metadata[key] = newValue }
            }

            func log(event: LogEvent) { log.lines.append("\(event.message)") }
        }
    }
}

@Suite("The section `metrics` of the configuration")
struct MetricsSectionTests {
    private func parse(_ section: String) throws -> MetricSettings? {
        try Configuration.parse("device: v\nmetrics: \(section)\n", file: "c", environment: [:]).metrics
    }

    @Test("The section `metrics` sets the file and the interval; the default interval is a minute.")
    func read() throws {
        #expect(try parse("{textfile: /run/trackerd/t.prom}") == MetricSettings(textfile: "/run/trackerd/t.prom"))
        #expect(
            try parse("{textfile: /run/t.prom, interval: 5m}")
                == MetricSettings(textfile: "/run/t.prom", interval: .seconds(300)))
        #expect(try Configuration.parse("device: v\n", file: "c", environment: [:]).metrics == nil)
    }

    @Test(
        "A wrong value is an error with the line and the remedy.",
        arguments: [
            ("{interval: 60s}", "`metrics.textfile` is missing. Set the file, such as"),
            ("{textfile: /run/t.txt}", "node_exporter reads only such files."),
            ("{textfile: t.prom}", "an absolute path that ends in `.prom`"),
            ("{textfile: /run/}", "`metrics.textfile` is a folder. Add the name of a file."),
            ("{textfile: /run/t.prom, interval: 0s}", "`metrics.interval` must be a duration from 1s to 1d"),
            ("{textfile: /run/t.prom, interval: 2d}", "such as `90s`, `5m` or `2h`; `2d` is not."),
            ("{textfil: /run/t.prom}", "`metrics.textfil` is not an option. Did you mean `textfile`?"),
            ("/run/t.prom", "`metrics` contains no `key: value` lines."),
        ])
    func mistakes(section: String, message: String) {
        let error = #expect(throws: ConfigurationError.self) { try parse(section) }
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
        #expect(error?.problems.allSatisfy { $0.line == 2 } == true)
    }
}
