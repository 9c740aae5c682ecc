import ArgumentParser
import Devices
import Export
import Glibc
import Quantities
import Upload

/// From a server that the owner names.
struct MapOptions: ParsableArguments {
    @Option(
        help: """
            The address of map tiles, such as https://tiles.example.net/{z}/{x}/{y}.png. The command fetches the map behind the \
            track from this server. The server thus learns where the vehicle was.
            """)
    var tiles: String?

    @Option(help: "The author of the map, for the report; by default the name of the server.")
    var attribution: String?

    @Option(help: "The highest zoom level of the server, from 0 to 22.")
    var maxZoom = 19

    func validate() throws {
        guard TilePlan.zooms.contains(maxZoom) else {
            throw ValidationError("--max-zoom must be a number from 0 to 22.")
        }
        guard tiles != nil || attribution == nil else {
            throw ValidationError("--attribution names the author of a map. Add --tiles, or leave --attribution out.")
        }
        _ = try server
    }

    /// Nil without `--tiles`, and if the server sends no map.
    func background(of report: DriveReport) throws -> MapBackground? {
        guard let server = try server else { return nil }
        guard let plan = report.tiles(highestZoom: maxZoom) else {
            warn("The report has no map, because it has no position that a map contains.")
            return nil
        }
        do throws(TileDownloadError) {
            let images = try fetch(plan.tiles, from: server)
            let missing = plan.tiles.count - images.count
            if missing > 0 {
                warn(
                    "The map lacks \(missing) of \(plan.tiles.count) tiles, because \(server.host) does not have them.")
            }
            guard !images.isEmpty else { return nil }
            return MapBackground(images, highestZoom: maxZoom, attribution: attribution ?? "Map: \(server.host)")
        } catch {
            warn("The report has no map: \(error).")
            return nil
        }
    }

    private var server: TileServer? {
        get throws {
            do throws(TileServerError) {
                return try tiles.map { (address) throws(TileServerError) in try TileServer(address) }
            } catch {
                throw ValidationError("--tiles: \(error)")
            }
        }
    }

    private func fetch(
        _ tiles: [TilePlan.Tile], from server: TileServer
    ) throws(TileDownloadError) -> [TilePlan.Tile: TileImage] {
        let download = TileDownload(
            server, program: "trackerd/\(Executable.release) (report of a GPS tracker, made on request)",
            longest_bytes: TileImage.longest_bytes
        ) { BootClock().now() }
        defer { download.close() }
        let progress = Progress(server.host, count: tiles.count)
        defer { progress.end() }
        var images: [TilePlan.Tile: TileImage] = [:]
        for (index, tile) in tiles.enumerated() {
            progress.report(index + 1)
            guard let bytes = try download.tile(zoom: tile.zoom, x: tile.x, y: tile.y) else { continue }
            guard let image = TileImage(bytes) else { throw .noImage(server.host) }
            images[tile] = image
        }
        return images
    }

    private func warn(_ text: String) {
        let line = "\(text.printable())\n"
        _ = Glibc.write(STDERR_FILENO, line, line.utf8.count)
    }
}

/// One line on standard error, which changes on a terminal.
private struct Progress {
    private let host: String
    private let count: Int
    private let isTerminal = isatty(STDERR_FILENO) == 1

    init(_ host: String, count: Int) {
        (self.host, self.count) = (host, count)
        if !isTerminal { write("Fetching \(count) map tiles from \(host.printable()).\n") }
    }

    func report(_ number: Int) {
        if isTerminal { write("\rFetching map tile \(number) of \(count) from \(host.printable()).") }
    }

    func end() {
        if isTerminal { write("\n") }
    }

    private func write(_ text: String) { _ = Glibc.write(STDERR_FILENO, text, text.utf8.count) }
}
