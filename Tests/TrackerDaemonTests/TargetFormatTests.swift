@testable import Configuration
@testable import Delivery
import Formats
import Foundation
import Quantities
import Testing
import Tracking
import Upload

@Suite("The settings of a target's format")
struct TargetFormatTests {
    private static func target(_ lines: String) throws -> UploadTarget {
        let text = "device: van1\ntargets:\n  - url: https://track.example.net/in?id={device}\n\(lines)"
        return try #require(try Configuration.parse(text, file: "config.yaml").targets.first)
    }

    private static let stored = StoredRecord(
        sequence: 1, uuid: "0199c7a2-8c00-7a10-9d54-0d0f7d2f5a10", created: Timestamp(milliseconds: 1_760_000_000_000),
        record: Record(
            .location, time: Timestamp(milliseconds: 1_760_000_000_000), isTimeTrusted: true,
            position: Coordinate(latitude: 52.374031, longitude: 4.889692).map { Position(coordinate: $0) },
            isMoving: true, odometer: Metres(1500), trip: nil))

    private static func payload(_ lines: String) throws -> WirePayload {
        let target = try target(lines)
        let result = target.format.encode([stored], isNewest: true, for: target.sender, over: .http)
        guard case .payload(let payload) = result else { throw Unexpected(result: result) }
        return payload
    }

    private struct Unexpected: Error { let result: EncodeResult }

    @Test("OwnTracks encrypts with a key from the entry or from a file.")
    func encryption() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data("correct-horse\nsecond line\n".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let direct = try Self.payload("    owntracks: {encryptionKey: correct-horse}\n")
        let fromFile = try Self.payload("    owntracks: {encryptionKeyFile: \(file.path)}\n")
        #expect(String(decoding: direct.body, as: UTF8.self).hasPrefix(#"{"_type":"encrypted","data":""#))
        #expect(direct == fromFile)
        #expect(direct == (try Self.payload("    owntracks: {encryptionKey: {file: \(file.path)}}\n")))
        #expect(direct != (try Self.payload("    owntracks: {encryptionKey: correct-horsf}\n")))
    }

    @Test(
        "The Traccar format has three forms.",
        arguments: [
            ("", "application/x-www-form-urlencoded"), ("    traccar: {form: json}\n", "application/json"),
            ("    traccar: {form: query}\n", ""),
        ])
    func traccar(lines: String, type: String) throws {
        #expect(try Self.payload("    format: traccar\n\(lines)").contentType == type)
    }

    @Test("Transistor has the options of Background Geolocation.")
    func transistor() throws {
        let payload = try Self.payload(
            """
                format: transistor
                transistor:
                  httpRootProperty: data
                  batchSync: false
                  params: {user_id: 7, name: "8", on: true, none: null, list: [1.5, a]}
                  extras: {route: A}
                  locationTemplate: '{"lat":<%= latitude %>}'
            """)
        #expect(
            String(decoding: payload.body, as: UTF8.self)
                == #"{"data":{"lat":52.374031,"route":"A"},"list":[1.5,"a"],"name":"8","none":null,"on":true,"user_id":7}"#
        )
    }

    @Test("The template format uses the address in `url`, with or without a body.")
    func template() throws {
        let get = try Self.payload("    format: template\n")
        #expect((get.method, get.path) == (.get, "/in?id=van1"))
        let post = try Self.payload("    format: template\n    template: {body: '{\"at\": {time_s}}'}\n")
        #expect((post.method, post.path, post.contentType) == (.post, "/in?id=van1", "application/json"))
        #expect(String(decoding: post.body, as: UTF8.self) == #"{"at": 1760000000}"#)
    }

    @Test(
        "The expected answer is `any`, a text, an expression or a member.",
        arguments: [
            ("answer: any", AnswerRule.any), ("answer: {contains: OK}", .contains("OK")),
            ("answer: {matches: '^O+K'}", .matches("^O+K")),
            ("answer: {field: meta.code, is: 200}", .field(path: ["meta", "code"], value: "200")),
        ])
    func answers(line: String, rule: AnswerRule) throws { #expect(try Self.target("    \(line)\n").answer == rule) }

    @Test(
        "A mistake in the settings of a format is an error with its line and the remedy.",
        arguments: [
            (
                "    owntracks: {encryptionKey: 0123456789abcdef0123456789abcdef0}\n",
                "The key in `targets[1].owntracks.encryptionKey` has 33 bytes. Write 1 to 32 bytes; `openssl rand -hex 16` prints a suitable key."
            ),
            (
                "    format: geojson\n    owntracks: {encryptionKey: a}\n",
                "`targets[1].owntracks` has no effect with `format: geojson`. Remove this key, or write `format: owntracks`."
            ),
            (
                "    format: traccar\n    traccar: {form: xml}\n",
                "`targets[1].traccar.form` must be `form` or `query` or `json`; `xml` is not."
            ),
            (
                "    format: traccar\n    traccar: {forn: json}\n",
                "`targets[1].traccar.forn` is not an option. Did you mean `form`?"
            ),
            (
                "    format: transistor\n    transistor: {httpRootProperty: ., params: {a: 1}}\n",
                "with `httpRootProperty: .`, trackerd sends a list of records without `targets[1].transistor.params`. Set another `httpRootProperty`, or set `batchSync: false`."
            ),
            (
                "    format: transistor\n    transistor: {locationTemplate: '[<%= lat %>]'}\n",
                "`targets[1].transistor.locationTemplate`: `<%= lat %>` is not a placeholder."
            ),
            (
                "    format: template\n    template: {body: '{\"at\": {tme}}'}\n",
                "`targets[1].template`: `{tme}` is not a placeholder. Did you mean `{time}`?"
            ),
            (
                "    answer: OK\n",
                "`targets[1].answer` must be `any`, or a mapping such as `{contains: OK}`; `OK` is not."
            ),
            (
                "    answer: {contains: a, matches: b}\n",
                "`targets[1].answer.contains`, `matches` and `field` are alternatives. Write exactly one of them."
            ),
            ("    answer: {matches: '('}\n", "`targets[1].answer.matches` must be a regular expression; `(` is not."),
            (
                "    answer: {field: ok}\n",
                "`targets[1].answer.is` is missing. Write the value that `ok` has if the server accepts a record."
            ),
        ])
    func mistakes(lines: String, message: String) {
        #expect { try Self.target(lines) } throws: { "\($0)".contains(message) }
    }

    @Test("A placeholder in the name of the server is an error.")
    func host() {
        let text = "device: van1\ntargets:\n  - url: https://{device}.example.net/\n    format: template\n"
        #expect { try Configuration.parse(text, file: "config.yaml") } throws: {
            "\($0)".contains("`targets[1].url` has a placeholder in the server's name.")
        }
    }
}

@Suite("The examples in the documents")
struct ExampleConfigurationTests {
    private static let docs = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("docs")

    /// The examples of each page that are whole configurations; such an example begins with the name of the device.
    private static var examples: [(page: String, text: String)] {
        let files = FileManager.default.enumerator(atPath: docs.path)?.compactMap { $0 as? String } ?? []
        return files.filter { $0.hasSuffix(".md") }.sorted().flatMap { file -> [(String, String)] in
            let page = (try? String(contentsOf: docs.appendingPathComponent(file), encoding: .utf8)) ?? ""
            return page.components(separatedBy: "```yaml\n").dropFirst()
                .compactMap { $0.components(separatedBy: "```").first }.filter { $0.hasPrefix("device:") }
                .map { (file, $0) }
        }
    }

    @Test("Each configuration in the documents is valid as it is written there.")
    func valid() throws {
        let scratch = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: scratch) }
        #expect(Self.examples.count { $0.page == "connect.md" } >= 10)
        #expect(Self.examples.count { $0.page == "alarms.md" } >= 6)
        #expect(Self.examples.contains { $0.page == "configuration.md" })
        for (page, text) in Self.examples {
            // The files with secrets and certificates exist only on the reader's computer, so the test writes files in their
            // place.
            var here = text
            for path in text.matches(of: /\/etc\/[\w.\/-]+/).map({ String($0.output) }) {
                let file = scratch.appendingPathComponent(path.replacing("/", with: "-"))
                try Data("0123456789abcdef\n".utf8).write(to: file)
                here = here.replacing(path, with: file.path)
            }
            #expect(throws: Never.self, "\(page):\n\(text)") {
                let configuration = try Configuration.parse(here, file: page)
                guard page == "configuration.md", configuration.targets.count > 1 else { return }
                #expect(configuration.targets[1].rules.filter.exceptKinds == [RecordSelector(.transition)])
            }
        }
    }
}
