import Foundation
import Quantities
import Testing
import Tracking

@testable import Export

@Suite("The page of a report")
struct ReportPageTests {
    private func hostilePage() throws -> String {
        var samples = ReportSamples()
        let names = ReportSamples.hostile
        samples.drive(from: 3600, seconds: 300, region: names[0], driver: names[1])
        samples.drive(from: 7200, seconds: 300, north: 500, trip: 2, region: names[2])
        samples.add(
            .transition(
                Transition(
                    .enter, by: .area, of: RegionName(id: "x", name: names[0]), text: nil,
                    defined: ReportSamples.midnight)), at: 8000)
        samples.add(.health(HealthReport(.haltRefused, reason: names[3])), at: 8001)
        var input = try ReportSamples.input(device: names[1])
        var trip = ReportInput.Trip(number: 1, began: ReportSamples.midnight + .seconds(3600))
        (trip.name, trip.from, trip.to, trip.labels) = (names[0], names[1], names[2], names)
        input.trips = [trip]
        input.targets = [names[0]]
        input.notes = [(ReportSamples.midnight, .refused(names[1], count: 2))]
        return samples.html(input, uploads: [.waiting])
    }

    @Test("Hostile names of regions, drivers, trips and targets appear as plain text.")
    func hostile() throws {
        let page = try hostilePage()
        #expect(page.contains("&lt;script&gt;alert(1)") && page.contains("a\\u{202e}b"))
        #expect(
            !page.contains("<script") && !page.contains("<img") && !page.contains("\u{202e}") && !page.contains("\u{0}")
        )
        let elements = Set(try Elements(page).names)
        #expect(
            elements.isSubset(of: [
                "html", "head", "meta", "title", "style", "body", "main", "header", "p", "h1", "h2", "dl", "div", "dt",
                "dd", "small", "section", "svg", "path", "g", "text", "rect", "line", "ol", "ul", "li", "figure",
                "figcaption", "b", "i", "span", "table", "thead", "tbody", "tr", "th", "td", "footer",
            ]), "\(elements.sorted())")
    }

    @Test("Each element is closed, and each attribute is one of those that the drawings need.")
    func wellFormed() throws {
        let elements = try Elements(try hostilePage())
        let attributes = Set(elements.attributes)
        #expect(
            attributes.isSubset(of: [
                "lang", "charset", "http-equiv", "content", "name", "class", "viewBox", "role", "aria-label",
                "aria-hidden", "d", "transform", "x", "y", "x1", "x2", "y1", "y2", "dy", "width", "height", "rx",
                "preserveAspectRatio", "scope", "data-title",
            ]), "\(attributes.sorted())")
    }

    @Test("The report's page contains no URL, and its policy permits only its own style sheet.")
    func closed() throws {
        let page = try hostilePage()
        for word in ["http://", "https://", "url(", "@import", "src=", "href=", " style=", "<link", "javascript:"] {
            // The driver's name contains `src=` in escaped form, outside an element.
            let found = page.replacing("onerror=alert(1) src=x", with: "").contains(word)
            #expect(!found, "\(word)")
        }
        #expect(page.contains(#"content="default-src 'none'; style-src 'sha256-"#))
    }

    @Test("The policy names the hash of the style sheet.")
    func hash() throws {
        let hash = try Self.sha256(ReportStyle.sheet.text)
        #expect(ReportStyle.hash.text == "sha256-" + hash.base64EncodedString())
    }

    @Test("The report on a trip shows its name, its figures and its times in the zone.")
    func trip() throws {
        var samples = ReportSamples()
        samples.drive(from: 3600, seconds: 600, region: "Depot")
        var input = try ReportSamples.input(.trip(1))
        input.span = ReportSamples.midnight + .seconds(3600)...ReportSamples.midnight + .seconds(4200)
        input.recorded = input.span
        var trip = ReportInput.Trip(number: 1, began: input.span.lowerBound)
        var summary = TripSummary(start: nil, started: trip.began)
        (summary.distance, summary.moving, summary.topSpeed) = (Metres(6000), .seconds(580), MetresPerSecond(10))
        (trip.name, trip.ended, trip.distance) = ("order 7", input.span.upperBound, Metres(6000))
        trip.summary = summary
        input.trips = [trip]
        let page = samples.html(input)
        #expect(page.contains("<h1>Trip 1</h1>"))
        #expect(page.contains("order 7, Friday, 1 May 2026, 01:00 – 01:10; times are in UTC+2"))
        #expect(page.contains("<dt>Distance</dt><dd>6.00 km</dd>"))
        #expect(page.contains("<dt>Top speed</dt><dd>36 km/h</dd>"))
        #expect(page.contains("<td data-title=\"Where\">Depot</td>"))
    }

    @Test("The report on a day with one fix per second is below 2 MB, and its drawn line follows the bends.")
    func fullDay() throws {
        var samples = ReportSamples()
        samples.drive(from: 0, seconds: 86_399, speed: 20)
        // The track is a sine with a period of about 200 s and an amplitude of about 800 m, so the drawing needs many points.
        for index in samples.records.indices {
            let second = Double(index)
            let place = Coordinate(latitude: 52.5 + 0.007 * sin(second / 32), longitude: 13.4 + second * 1e-5)
            if let place {
                samples.move(index, to: place, speed: 20 + 10 * sin(second / 300))
            }
        }
        let page = try samples.html(ReportSamples.input())
        #expect(page.utf8.count < 2_000_000 && page.utf8.count > 20_000)
        #expect(samples.records.count == 86_400)
    }

    private static func sha256(_ text: String) throws -> Data {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/sha256sum")
        let (input, output) = (Pipe(), Pipe())
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
        try input.fileHandleForWriting.close()
        let digits = Array(
            String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self).prefix(64))
        process.waitUntilExit()
        return Data(
            stride(from: 0, to: digits.count - 1, by: 2).compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) })
    }
}

/// The initializer throws if an element is not closed.
private struct Elements {
    struct Unclosed: Error { let name: String }

    private(set) var names: [String] = []
    private(set) var attributes: [String] = []

    init(_ page: String) throws {
        var open: [String] = []
        for part in page.split(separator: "<").dropFirst() where !part.hasPrefix("!") {
            guard let end = part.firstIndex(of: ">") else { throw Unclosed(name: String(part)) }
            var tag = part[..<end]
            if tag.hasPrefix("/") {
                guard open.popLast() == String(tag.dropFirst()) else { throw Unclosed(name: String(tag)) }
                continue
            }
            let isEmpty = tag.hasSuffix("/")
            if isEmpty { tag = tag.dropLast() }
            let name = String(tag.prefix { $0 != " " })
            names.append(name)
            attributes += Self.attributes(tag.dropFirst(name.count))
            if !isEmpty && name != "meta" { open.append(name) }
        }
        guard open.isEmpty else { throw Unclosed(name: open.joined(separator: ", ")) }
    }

    private static func attributes(_ text: Substring) -> [String] {
        // Every second part is the value of an attribute.
        let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
        return stride(from: 0, to: parts.count - 1, by: 2).map { index in
            parts[index].trimmingCharacters(in: .whitespaces).replacing("=", with: "")
        }
    }
}
