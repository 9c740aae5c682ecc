import Foundation
import Testing

@Suite("The products of the package")
struct ManifestTests {
    private let manifest: Manifest

    init() throws {
        let file = root.appendingPathComponent("Package.swift")
        manifest = Manifest(try String(contentsOf: file, encoding: .utf8))
    }

    @Test("The manifest is read completely, and declares each target that it names.")
    func complete() {
        let declared = Set(manifest.targets.keys)
        #expect(declared.isSuperset(of: ["trackerd", "TrackerDaemon", "Recordings", "TestSupport", "Contracts"]))
        for (name, target) in manifest.targets {
            let unknown = target.dependencies.subtracting(declared)
            #expect(unknown.isEmpty, "\(name) depends on targets that are not declared")
        }
        #expect(!manifest.products.isEmpty)
        #expect(declared.isSuperset(of: manifest.products))
    }

    @Test("No product links test support, a test target or a tool.")
    func noTestSupport() {
        for product in manifest.products {
            for name in manifest.closure(of: product) {
                let path = manifest.targets[name]?.path ?? ""
                #expect(!path.hasPrefix("Tests/") && !path.hasPrefix("Tools/"), "\(product) links \(name) (\(path))")
            }
        }
    }

    @Test("Exports link no library of the network.")
    func exports() {
        let linked = manifest.closure(of: "Export")
        #expect(linked.contains("Formats"))
        #expect(linked.isDisjoint(with: ["CCurl", "CMosquitto", "CSodium", "Upload"]))
    }

    @Test("Targets under Tests and Tools are never dependencies of targets under Sources.")
    func direction() {
        for (name, target) in manifest.targets where target.path.hasPrefix("Sources/") {
            let foreign = target.dependencies.filter { manifest.targets[$0]?.path.hasPrefix("Sources/") == false }
            #expect(foreign.isEmpty, "\(name) depends on \(foreign.sorted())")
        }
    }
}

/// The targets of a `Package.swift` that has the form of our file.
private struct Manifest {
    struct Target {
        let path: String
        let dependencies: Set<String>
    }

    private(set) var targets: [String: Target] = [:]
    /// The names of the targets that belong to a product.
    private(set) var products: Set<String> = []

    init(_ text: String) {
        let products = #/\.(?:executable|library)\(\s*name: "[^"]+",\s*targets: \[([^\]]*)\]/#
        for match in text.matches(of: products) { self.products.formUnion(Self.names(match.output.1)) }
        // This pattern matches calls of the helper functions with a literal name, and not the functions themselves.
        let helpers = #/\b(layer|shim|tests)\(\s*"([\w-]+)"(?:,\s*\[([^\]]*)\])?/#
        for match in text.matches(of: helpers) {
            let (_, kind, name, dependencies) = match.output
            let folder = kind == "tests" ? "Tests" : "Sources"
            add(String(name), path: "\(folder)/\(name)", dependencies)
        }
        let plain =
            #/\.(?:executableTarget|target)\(\s*name: "([\w-]+)",(?:\s*dependencies: \[([^\]]*)\],)?(?:\s*path: "([^"]+)")?/#
        for match in text.matches(of: plain) {
            let (_, name, dependencies, path) = match.output
            add(String(name), path: path.map(String.init) ?? "Sources/\(name)", dependencies)
        }
    }

    /// The target and all targets that it links.
    func closure(of name: String) -> Set<String> {
        var found: Set<String> = []
        var open = [name]
        while let next = open.popLast() {
            guard found.insert(next).inserted else { continue }
            open += targets[next]?.dependencies ?? []
        }
        return found
    }

    private mutating func add(_ name: String, path: String, _ dependencies: Substring?) {
        targets[name] = Target(path: path, dependencies: Self.names(dependencies ?? ""))
    }

    /// Returns the quoted names in a list; products of other packages are constants without quotes.
    private static func names(_ list: Substring) -> Set<String> {
        Set(list.matches(of: #/"([\w-]+)"/#).map { String($0.output.1) })
    }
}
