package import Store
package import Tracking
package import Upload

/// What the configuration file says, checked.
package struct Configuration: Sendable {
    /// Where the file is looked for when none is named.
    package static let defaultPath = "/etc/trackerd/config.yaml"

    /// The name of the vehicle's tracker, as servers see it.
    package var device: String
    /// Where records go.
    package var targets: [UploadTarget]
    /// How the vehicle is tracked.
    package var options: TrackingOptions
    /// The database file.
    package var storePath: String
    /// How plain locations are grouped into commits.
    package var grouping: RecordQueue.Grouping

    /// Reads a configuration file; throws everything that is wrong with it.
    package static func read(_ path: String = defaultPath) throws(ConfigurationError) -> Configuration {
        try YAMLFile.read(path, missing: remedy) { ConfigurationFile.read(&$0) }
    }

    /// Reads a configuration from text.
    package static func parse(_ text: String, file: String) throws(ConfigurationError) -> Configuration {
        try YAMLFile.parse(text, file: file) { ConfigurationFile.read(&$0) }
    }

    private static let remedy = """
        Write it, or name another one with --config. Three lines are enough:
        device: van1
        targets:
          - url: https://track.example.net/pub
        """
}
