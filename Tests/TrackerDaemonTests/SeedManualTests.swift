import Compatibility
import Foundation
import Testing
import Tracking
import TrackingOptions

@testable import TrackerDaemon

@Suite("The document about the five source documents")
struct SeedManualTests {
    private static let root = BoardFileTests.folder + "/.."

    @Test("is what the program writes; `trackerd manual seeds --into docs/seeds.md` puts it there")
    func document() throws {
        let document = try String(contentsOfFile: Self.root + "/docs/seeds.md", encoding: .utf8)
        #expect(document.contains("<!-- trackerd manual seeds -->\n\(SeedManual.text)\n<!-- end -->"))
    }

    @Test(
        "has a proof that exists for each thing, or says why that has no meaning here", arguments: OptionSystem.allCases
    )
    func proofs(system: OptionSystem) {
        for row in SeedManual.rows(of: system) {
            guard let proof = row.proof else {
                #expect(row.here.isEmpty && !row.remark.isEmpty, "\(row.name)")
                continue
            }
            let path = Self.root + "/Tests/\(proof.file).swift"
            let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
            #expect(Self.tests(in: text).contains(proof.test), "\(row.name): \(proof.file) has no test “\(proof.test)”")
        }
    }

    @Test("names keys, profiles, commands and sections that there are", arguments: OptionSystem.allCases)
    func counterparts(system: OptionSystem) {
        for row in SeedManual.rows(of: system) {
            for counterpart in row.here {
                #expect(Self.isKnown(counterpart), "\(row.name): \(counterpart)")
            }
        }
    }

    @Test("has each name of another system that the option table knows", arguments: OptionSystem.allCases)
    func aliases(system: OptionSystem) {
        let names = SeedManual.rows(of: system).map(\.name)
        for option in TrackingOption.all {
            for name in option.names where name.system == system { #expect(names.contains(name.key)) }
        }
        #expect(Set(names).count == names.count)
    }

    @Test("leaves out nothing that the documents name", arguments: SeedNames.all)
    func complete(system: OptionSystem, names: [String]) {
        let covered = SeedManual.rows(of: system).map(\.name)
        for name in names { #expect(covered.contains(name), "\(system.title): \(name)") }
    }

    @Test("is checked by a reader of tests that knows their ways of writing")
    func reader() {
        let text = #"@Test("one") @Test(\#n    "two \"quoted\"", arguments: [1]) @Test func three() "four""#
        #expect(Self.tests(in: text) == ["one", #"two "quoted""#])
    }

    private static let commands = [
        "config", "locate", "mode", "move", "odometer", "profiles", "region", "replay", "run", "status", "stay",
        "tracking",
        "trip", "waypoint", "why",
    ]
    private static let sections = ["targets", "tracking", "tracking.geoManager"]

    private static func isKnown(_ counterpart: Counterpart) -> Bool {
        switch counterpart {
        case .option(let key): TrackingOption.named(key) != nil
        case .profile(let name): Profile.named(name) != nil
        case .command(let words): commands.contains(words.split(separator: " ").first.map(String.init) ?? "")
        case .section(let key): sections.contains(key)
        case .function(let name): name == "stationary(locations:interval:after:distance:speed:)"
        case .record: true
        }
    }

    /// What the tests in a file say of themselves.
    private static func tests(in text: String) -> [String] {
        text.components(separatedBy: "@Test(").dropFirst().compactMap { part in
            let line = part.drop { $0.isWhitespace }
            guard line.first == "\"" else { return nil }
            var name = ""
            var isEscaped = false
            for character in line.dropFirst() {
                if !isEscaped, character == "\"" { return name }
                isEscaped = !isEscaped && character == "\\"
                if !isEscaped { name.append(character) }
            }
            return nil
        }
    }
}
