import Compatibility
import TrackingOptions
import Documents
import Foundation
import Testing
import Tracking

@Suite("The tables of compatibility")
struct CompatibilityTests {
    /// Reading all tests takes seconds, so the suite reads them only once.
    private static let tests = Result { try TestIndex(folder: root + "/Tests") }
    /// The tests that start the program: as a process, or in the device lab.
    private static let programTests = Result {
        try ["EndToEndTests", "LabTests"].map { try TestIndex(folder: root + "/Tests/" + $0).names }
            .reduce(into: Set()) { $0.formUnion($1) }
    }

    @Test(
        "Each feature of another product has a test as proof, or the reason why trackerd has no counterpart.",
        arguments: OptionSystem.allCases)
    func proofs(system: OptionSystem) throws {
        let tests = try Self.tests.get()
        for row in CompatibilityTables.rows(of: system) {
            guard let test = CompatibilityProofs.test(of: row, in: system) else {
                #expect(row.here.isEmpty && !row.remark.isEmpty, "\(row.name) has no proof")
                continue
            }
            let exists = tests.names.contains(test)
            #expect(exists, "\(row.name): there is no test \(test)")
        }
    }

    @Test(
        "The proof of a feature runs the program, because a user sees the feature only there.",
        arguments: OptionSystem.allCases)
    func visibleProofs(system: OptionSystem) throws {
        let tests = try Self.programTests.get()
        for row in CompatibilityTables.rows(of: system) where !row.here.contains(where: \.isFunction) {
            guard let test = CompatibilityProofs.test(of: row, in: system) else { continue }
            #expect(tests.contains(test), "\(row.name): \(test) does not run the program")
        }
    }

    @Test("Each proof belongs to a feature in the table.", arguments: OptionSystem.allCases)
    func provenRows(system: OptionSystem) {
        let names = CompatibilityTables.rows(of: system).map(\.name)
        let proven = CompatibilityProofs.rows(of: system).flatMap(\.rows)
        for name in proven { #expect(names.contains(name), "no feature is called \(name)") }
        #expect(Set(proven).count == proven.count)
    }

    @Test("An existing test proves each tracking option for which another product has a name.")
    func provenOptions() throws {
        let tests = try Self.tests.get()
        for (key, test) in CompatibilityProofs.options {
            #expect(TrackingOption.named(key) != nil, "no option is called \(key)")
            let exists = tests.names.contains(test)
            #expect(exists, "\(key): there is no test \(test)")
        }
    }

    @Test("Each counterpart is an option, profile, command or section that exists.", arguments: OptionSystem.allCases)
    func counterparts(system: OptionSystem) {
        for row in CompatibilityTables.rows(of: system) {
            for counterpart in row.here {
                #expect(Self.isKnown(counterpart), "\(row.name): \(counterpart)")
            }
        }
    }

    @Test(
        "Each name of a product in the option table occurs once in the product's table.",
        arguments: OptionSystem.allCases)
    func aliases(system: OptionSystem) {
        let names = CompatibilityTables.rows(of: system).map(\.name)
        for option in TrackingOption.all {
            for name in option.names where name.system == system { #expect(names.contains(name.key)) }
        }
        #expect(Set(names).count == names.count)
    }

    @Test("Each name in the documentation of a product is in the product's table.", arguments: CompatibilityNames.all)
    func complete(system: OptionSystem, names: [String]) {
        let covered = CompatibilityTables.rows(of: system).map(\.name)
        for name in names { #expect(covered.contains(name), "\(system.title): \(name)") }
    }

    @Test(
        "Each counterpart of a feature is visible to a user as a command, a key or a record.",
        arguments: OptionSystem.allCases)
    func visible(system: OptionSystem) {
        for row in CompatibilityTables.rows(of: system) where !row.here.isEmpty {
            #expect(row.here != [.builtIn], "\(row.name)")
        }
    }

    @Test("A default that differs in a section has a row.")
    func defaults() {
        #expect(DefaultRow.all.contains { $0.system == "Radar, Android" && $0.key == "sync" })
    }

    @Test("The index of tests contains the functions with `@Test`, under the type that encloses each function.")
    func index() {
        let text = """
            @Suite("one") struct FirstTests {
                @Test("a")
                func one() {}

                @Test func two() {}

                func helper() {}
            }

            private struct SecondTests {
                @Test(
                    "b", arguments: [1])
                mutating func three(number: Int) throws {}
            }
            """
        #expect(TestIndex.names(in: text) == ["FirstTests.one", "FirstTests.two", "SecondTests.three"])
    }

    private static let commands = [
        "config", "doctor", "locate", "mode", "move", "odometer", "profiles", "queue", "region", "replay", "run",
        "status", "stay",
        "tracking", "trip", "watch", "waypoint", "why",
    ]
    private static let sections = [
        "targets", "store", "tracking", "tracking.geoManager", "tracking.radar", "board.lowVoltage", "board.ignition",
        "board.accelerometer",
    ]

    private static func isKnown(_ counterpart: CompatibilityRow.Counterpart) -> Bool {
        switch counterpart {
        case .option(let key): TrackingOption.named(key) != nil
        case .profile(let name): Profile.named(name) != nil
        case .command(let words): commands.contains(words.split(separator: " ").first.map(String.init) ?? "")
        case .section(let key): sections.contains(key)
        case .function(let name): name == "stationary(locations:interval:after:distance:speed:)"
        case .record, .builtIn: true
        }
    }
}

extension CompatibilityRow.Counterpart {
    /// The library offers a function, so no program is needed.
    fileprivate var isFunction: Bool { if case .function = self { true } else { false } }
}

/// The names of all tests as `Type.function`, read from the text of the files.
private struct TestIndex {
    let names: Set<String>

    init(folder: String) throws {
        let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        names = try files.filter { $0.hasSuffix(".swift") }.reduce(into: []) { names, file in
            names.formUnion(Self.names(in: try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)))
        }
    }

    /// A function is a test if `@Test` is between it and the function before it.
    static func names(in text: String) -> Set<String> {
        var names: Set<String> = []
        var type = ""
        var isTest = false
        for line in text.split(separator: "\n") {
            if let match = line.firstMatch(of: #/^(?:[^\s\/].*?\b)?(?:struct|class|enum|extension|actor) (\w+)/#) {
                type = String(match.output.1)
            }
            if line.contains("@Test") { isTest = true }
            if isTest, let match = line.firstMatch(of: #/\bfunc (\w+)/#) {
                names.insert("\(type).\(match.output.1)")
                isTest = false
            }
        }
        return names
    }
}
