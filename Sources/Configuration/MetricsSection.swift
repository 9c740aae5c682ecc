import Quantities

package struct MetricSettings: Sendable, Hashable {
    package let textfile: String
    package let interval: Duration

    package init(textfile: String, interval: Duration = .seconds(60)) {
        (self.textfile, self.interval) = (textfile, interval)
    }
}

enum MetricsSection {
    /// Nil also if its file is missing or wrong.
    static func read(_ file: inout MappingReader) -> MetricSettings? {
        file.mapping("metrics") { section in
            let interval = section.duration("interval", .seconds(1) ... .seconds(86_400)) ?? .seconds(60)
            section.missing("textfile", "Set the file, such as `textfile: /run/trackerd/trackerd.prom`.")
            guard let path = section.path("textfile"), let node = section.child("textfile") else { return nil }
            guard path.hasPrefix("/"), path.hasSuffix(".prom") else {
                return section.wrong(
                    "textfile", node, "an absolute path that ends in `.prom`, such as `/run/trackerd/trackerd.prom`",
                    hint: " node_exporter reads only such files.")
            }
            return MetricSettings(textfile: path, interval: interval)
        }
    }
}
