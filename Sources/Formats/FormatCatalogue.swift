/// All formats; to add a format, add a file to this folder and a row to `all`.
package enum FormatCatalogue {
    /// The rows of the catalogue.
    package static let all: [any UploadFormat] = [
        OwnTracks(),
        GeoJSON(),
        Traccar(),
        Overland(),
        Transistor(),
        Template(),
        HomeAssistant(),
    ]

    /// Returns the format with this name; nil if there is none.
    package static func format(named name: String) -> (any UploadFormat)? {
        all.first { $0.name == name }
    }
}
