import Foundation
import Testing

let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

@Suite("Layer borders")
struct BorderTests {
    /// The core imports no module that can read a file, a socket or a clock: no Foundation, no Glibc and no C library.
    private static let allowed: [String: Set<String>] = [
        "Quantities": ["RealModule"],
        "JSON": [],
        "Motion": ["Quantities"],
        "StopDetection": ["Quantities"],
        "Calendar": ["Quantities"],
        "TrackingOptions": ["Quantities", "Calendar"],
        "Tracking": [
            "DequeModule", "RealModule", "Quantities", "StopDetection", "Calendar", "TrackingOptions", "Motion",
        ],
        "Compatibility": ["Quantities", "Calendar", "TrackingOptions"],
        "Hardware": ["Quantities", "Motion", "Tracking"],
        "Store": [
            "CLinux", "CZlib", "Delivery", "FoundationEssentials", "Glibc", "GRDB", "GRDBSQLite", "JSON", "Quantities",
            "Synchronization", "Tracking", "TrackingOptions",
        ],
        "Formats": ["JSON", "Quantities", "Tracking", "TrackingOptions"],
        "Delivery": ["Formats", "Quantities", "Tracking", "TrackingOptions"],
        "Upload": [
            "CCurl", "CDeflate", "CLinux", "CMosquitto", "CSodium", "Calendar", "Delivery", "Formats",
            "FoundationEssentials", "Glibc", "JSON", "Quantities", "Synchronization", "Tracking", "TrackingOptions",
        ],
        "Export": ["Quantities", "Calendar", "Tracking", "Formats"],
        "Page": ["FoundationEssentials", "Glibc", "Quantities", "CLinux", "CMicrohttpd", "CSodium"],
        "Devices": [
            "JSON", "Glibc", "CGpsd", "CI2C", "CLinux", "Hardware", "Motion", "Quantities", "Tracking",
            "CGpiod", "CBlueZ",
        ],
        "Recordings": [
            "Calendar", "CExpat", "CZlib", "FoundationEssentials", "Glibc", "Hardware", "Motion", "Quantities",
            "Tracking", "TrackingOptions",
        ],
        "Configuration": [
            "CLinux", "Calendar", "Compatibility", "Delivery", "Formats", "FoundationEssentials", "Glibc", "Hardware",
            "JSON", "Motion", "Quantities", "Store", "Tracking", "TrackingOptions", "Upload", "Yams",
        ],
        "Doctor": [
            "Configuration", "Formats", "Glibc", "Hardware", "Motion", "Quantities", "Store", "Tracking",
            "TrackingOptions", "Upload",
        ],
        "Control": [
            "CLinux", "Calendar", "Compatibility", "Formats", "FoundationEssentials", "Glibc", "Hardware", "Logging",
            "Motion", "JSON", "Quantities", "StopDetection", "Store", "Tracking", "TrackingOptions",
        ],
        "TrackerDaemon": [
            "CLinux", "Calendar", "Compatibility", "Configuration", "Control", "Delivery", "Formats",
            "FoundationEssentials", "Glibc", "Hardware", "Logging", "Motion", "Quantities", "Store", "Synchronization",
            "Tracking", "TrackingOptions", "Upload",
        ],
    ]

    @Test("Each file imports only the modules that its target may import.", arguments: allowed.keys.sorted())
    func imports(target: String) throws {
        let allowed = try #require(Self.allowed[target])
        let files = try swiftFiles(in: "Sources/\(target)")
        #expect(!files.isEmpty)
        for file in files {
            for module in try importedModules(file) where !allowed.contains(module) {
                Issue.record("\(target)/\(file.lastPathComponent) imports \(module)")
            }
        }
    }

    @Test("Each target except the executable has a list of allowed imports.")
    func complete() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: root.path + "/Sources")
        let swift = try folders.filter { try !swiftFiles(in: "Sources/\($0)").isEmpty }
        #expect(Set(swift) == Set(Self.allowed.keys).union(["trackerd", "trackerd-page"]))
    }

    @Test("Sources use neither Swift concurrency nor Dispatch, which wake the processor once a second.")
    func noExecutor() throws {
        let words = [
            "Task {", "Task.detached", "DispatchQueue", "async ", "await ", "import Dispatch", "Timer.scheduled",
        ]
        for file in try swiftFiles(in: "Sources") {
            let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            for line in lines {
                let code = line.components(separatedBy: " //").first ?? ""
                for word in words where code.contains(word) && !code.hasPrefix("//") {
                    Issue.record("\(file.lastPathComponent) uses `\(word)`: \(line)")
                }
            }
        }
    }

    private func swiftFiles(in folder: String) throws -> [URL] {
        let base = root.appendingPathComponent(folder)
        let names = FileManager.default.enumerator(atPath: base.path)?.compactMap { $0 as? String } ?? []
        return names.filter { $0.hasSuffix(".swift") }.sorted().map { base.appendingPathComponent($0) }
    }

    private func importedModules(_ file: URL) throws -> [String] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard let index = words.firstIndex(of: "import"), index <= 2, index + 1 < words.count,
                words[..<index].allSatisfy({ ["package", "public", "internal", "private", "@testable"].contains($0) })
            else { return nil }
            return String(words[index + 1])
        }
    }
}
