import Quantities

/// The Prometheus textfile of a configuration.
package struct MetricSettings: Sendable, Hashable {
    /// The path of the file; its name ends in `.prom`.
    package let textfile: String
    /// The shortest time between two writes of the file.
    package let interval: Duration

    package init(textfile: String, interval: Duration = .seconds(60)) {
        (self.textfile, self.interval) = (textfile, interval)
    }
}

/// The section `metrics` of the configuration file.
enum MetricsSection {
    /// Reads the section; nil if it is missing, or if its file is missing or wrong.
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
