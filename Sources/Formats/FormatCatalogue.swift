/// To add a format, add a file to this folder and a row to `all`.
package enum FormatCatalogue {
    package static let all: [any UploadFormat] = [
        OwnTracks(),
        GeoJSON(),
        Traccar(),
        Overland(),
        Transistor(),
        Template(),
        HomeAssistant(),
    ]

    package static func format(named name: String) -> (any UploadFormat)? {
        all.first { $0.name == name }
    }
}
