import Quantities

/// Writes metrics in Prometheus' text format, version 0.0.4.
enum MetricText {
    /// Returns the content of the file: the help, the type and the samples of each metric that has a value.
    static func write(_ values: MetricValues, metrics: [Metric] = Metrics.all) -> String {
        metrics.map { metric in
            let samples = metric.samples(values).filter(\.value.isFinite)
            guard !samples.isEmpty else { return "" }
            return """
                # HELP \(metric.name) \(escaped(metric.help)).
                # TYPE \(metric.name) \(metric.kind.rawValue)

                """ + samples.map { line(of: metric, $0) }.joined()
        }.joined()
    }

    private static func line(of metric: Metric, _ sample: Metric.Sample) -> String {
        let labels = sample.labels.map { #"\#($0.name)="\#(escaped($0.value, quotes: true))""# }
        let braces = labels.isEmpty ? "" : "{\(labels.joined(separator: ","))}"
        return "\(metric.name)\(sample.suffix)\(braces) \(NumberText.write(sample.value))\n"
    }

    /// Escapes the characters that would end a line or a label's value.
    private static func escaped(_ text: String, quotes: Bool = false) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\"" where quotes: result += "\\\""
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
