import Foundation

/// A fake gpsd in a separate process (scripts/lib/scripted_gpsd.py).
///
/// The server sends the given reports, which may contain receiver errors that a real gpsd cannot produce.
package final class ScriptedGpsd {
    package struct Report: Sendable {
        package var latitude: Double
        package var longitude: Double
        package var speed = 0.0
        /// The error of the report's date in seconds.
        package var wrongBy = 0.0
        /// More members of the JSON object, such as `"altMSL":9`.
        package var more = ""

        package init(latitude: Double, longitude: Double) {
            self.latitude = latitude
            self.longitude = longitude
        }

        fileprivate var line: String {
            let tail = more.isEmpty ? "" : "," + more
            return "\(wrongBy)\t{\"class\":\"TPV\",\"device\":\"/dev/gps0\",\"mode\":3,\"time\":\"%T\",\"eph\":6,"
                + "\"speed\":\(speed),\"lat\":\(latitude),\"lon\":\(longitude)\(tail)}"
        }
    }

    package let port = freePort()
    private let scratch: Scratch
    private let child: Child

    /// While a client watches, sends the reports `interval` seconds apart, and then repeats the last report.
    ///
    /// The simulation began at the real time `began` with the date `epoch`, both in seconds since 1970. It runs `speed` times as
    /// fast as real time.
    package init(_ reports: [Report], every interval: Double, began: Double, epoch: Double, speed: Double) throws {
        guard let python = WebServer.python else { throw PeerMissing(name: "python3") }
        scratch = try Scratch()
        try scratch.write(reports.map(\.line).joined(separator: "\n"), to: "reports")
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().path
        let numbers = [interval, began, epoch, speed].map { "\($0)" }
        child = try Child(
            python, [root + "/scripts/lib/scripted_gpsd.py", scratch.path, "\(port)"] + numbers)
        let port = port
        guard eventually({ isListening(port, on: "127.0.0.1") }) else { throw PeerMissing(name: "the scripted gpsd") }
    }

    /// Reports a vehicle that stands at this place, twice a second and with the right date.
    ///
    /// A program with such a receiver soon knows the time, even if the computer's clock is not synchronised. Without the time,
    /// the program would deliver no records in the first 15 minutes after boot.
    package convenience init(standingAt latitude: Double, _ longitude: Double) throws {
        let now = Date().timeIntervalSince1970
        try self.init(
            [Report(latitude: latitude, longitude: longitude)], every: 0.5, began: now, epoch: now, speed: 1)
    }

    package var sent: Int { scratch.lines(of: "sent").count }
}
