/// All formats; a new one is a file beside this one and a row here.
package enum FormatCatalogue {
    /// The rows.
    package static let all: [any UploadFormat] = [
        OwnTracks(),
        GeoJSON(),
    ]

    /// The format of this name.
    package static func format(named name: String) -> (any UploadFormat)? {
        all.first { $0.name == name }
    }
}
