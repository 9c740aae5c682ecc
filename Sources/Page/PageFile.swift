/// A file of the page.
///
/// The program contains all files, and therefore never opens a path from a request.
struct PageFile {
    let type: String
    let bytes: [UInt8]

    /// Returns the file at a path; nil if the page has no such file.
    static func named(_ path: String) -> PageFile? {
        switch path {
        case "/": PageFile(type: "text/html; charset=utf-8", bytes: PackageResources.index_html)
        case "/page.css": PageFile(type: "text/css; charset=utf-8", bytes: PackageResources.page_css)
        case "/page.js": script(PackageResources.page_js)
        case "/actions.js": script(PackageResources.actions_js)
        case "/doctor.js": script(PackageResources.doctor_js)
        case "/track.js": script(PackageResources.track_js)
        case "/states.js": script(PackageResources.states_js)
        case "/timeline.js": script(PackageResources.timeline_js)
        case "/words.js": script(PackageResources.words_js)
        case "/icon.svg": PageFile(type: "image/svg+xml", bytes: PackageResources.icon_svg)
        case "/manifest.json": PageFile(type: "application/manifest+json", bytes: PackageResources.manifest_json)
        default: nil
        }
    }

    private static func script(_ bytes: [UInt8]) -> PageFile {
        PageFile(type: "text/javascript; charset=utf-8", bytes: bytes)
    }
}
