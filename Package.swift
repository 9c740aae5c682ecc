// swift-tools-version: 6.1
import PackageDescription

/// The settings of every Swift target.
let shared: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

/// The repository and the lowest version of each package that we use; docs/architecture.md states why.
let dependencies: [Package.Dependency] = [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.1.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-numerics", from: "1.0.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.0.0"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.0.0"),
]

let arguments: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let deque: Target.Dependency = .product(name: "DequeModule", package: "swift-collections")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let real: Target.Dependency = .product(name: "RealModule", package: "swift-numerics")
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let sqlite: Target.Dependency = .product(name: "GRDBSQLite", package: "GRDB.swift")
let yams: Target.Dependency = .product(name: "Yams", package: "Yams")

/// Makes the target of one of our libraries: one layer, named after its task.
func layer(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: shared)
}

/// Makes the target of a shim around C libraries of the system.
func shim(_ name: String, _ dependencies: [Target.Dependency] = [], links libraries: String...) -> Target {
    .target(name: name, dependencies: dependencies, linkerSettings: libraries.map { .linkedLibrary($0) })
}

func tests(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, resources: resources, swiftSettings: shared)
}

let package = Package(
    name: "trackerd",
    products: [
        .executable(name: "trackerd", targets: ["trackerd"]),
        .executable(name: "trackerd-page", targets: ["trackerd-page"]),
        .library(name: "StopDetection", targets: ["StopDetection", "Quantities"]),
    ],
    dependencies: dependencies,
    targets: [
        // Core: pure values, no input and output.
        layer("Quantities", [real]),
        layer("JSON", []),
        layer("Motion", ["Quantities"]),
        layer("StopDetection", ["Quantities"]),
        layer("Calendar", ["Quantities"]),
        layer("TrackingOptions", ["Quantities", "Calendar"]),
        layer("Tracking", ["Quantities", "StopDetection", "Calendar", "TrackingOptions", "Motion", deque, real]),
        layer("Formats", ["Quantities", "JSON", "TrackingOptions", "Tracking"]),
        layer("Delivery", ["Quantities", "TrackingOptions", "Tracking", "Formats"]),
        // Other products' names for our options.
        layer("Compatibility", ["Quantities", "Calendar", "TrackingOptions"]),
        // The seams: protocols that the shell implements.
        layer("Hardware", ["Quantities", "Motion", "Tracking"]),
        // C libraries of the system.
        shim("CZlib", links: "z"),
        shim("CDeflate", links: "deflate"),
        shim("CExpat", links: "expat"),
        shim("CLinux"),
        shim("CGpsd", ["CLinux"], links: "gps"),
        shim("CI2C", links: "i2c"),
        shim("CGpiod", links: "gpiod"),
        shim("CBlueZ", ["CLinux"], links: "bluetooth"),
        shim("CCurl", links: "curl"),
        shim("CMosquitto", links: "mosquitto", "ssl", "crypto"),
        shim("CSodium", links: "sodium"),
        shim("CMicrohttpd", links: "microhttpd"),
        // The shell: input and output.
        layer(
            "Store",
            ["Quantities", "JSON", "TrackingOptions", "Tracking", "Delivery", grdb, sqlite, "CLinux", "CZlib"]),
        layer(
            "Upload",
            [
                "Quantities", "JSON", "Calendar", "TrackingOptions", "Tracking", "Formats", "Delivery", "CCurl",
                "CMosquitto", "CSodium", "CLinux", "CDeflate",
            ]),
        layer("Export", ["Quantities", "Calendar", "Tracking", "Formats"]),
        layer(
            "Devices",
            ["Quantities", "JSON", "Motion", "Tracking", "Hardware", "CGpsd", "CI2C", "CLinux", "CGpiod", "CBlueZ"]),
        layer(
            "Recordings",
            ["Quantities", "Calendar", "TrackingOptions", "Motion", "Tracking", "Hardware", "CExpat", "CZlib"]),
        layer(
            "Configuration",
            [
                "Quantities", "JSON", "Calendar", "TrackingOptions", "Compatibility", "Motion", "Tracking", "Hardware",
                "Store", "Formats", "Delivery", "Upload", "CLinux", yams,
            ]),
        layer(
            "Doctor",
            [
                "Quantities", "TrackingOptions", "Motion", "Tracking", "Hardware", "Configuration", "Store", "Formats",
                "Upload",
            ]),
        layer(
            "Control",
            [
                "Quantities", "JSON", "StopDetection", "Calendar", "TrackingOptions", "Compatibility", "Motion",
                "Tracking", "Hardware", "Store", "Formats", logging, "CLinux",
            ]),
        layer(
            "TrackerDaemon",
            [
                "Quantities", "Calendar", "TrackingOptions", "Compatibility", "Motion", "Tracking", "Hardware", "Store",
                "Formats", "Delivery", "Upload", "Configuration", "Control", logging, "CLinux",
            ]),
        // The page for the browser: a process of its own, and a client of the read socket.
        .target(
            name: "Page", dependencies: ["Quantities", "CLinux", "CMicrohttpd", "CSodium"],
            resources: [.embedInCode("Files")], swiftSettings: shared),
        .executableTarget(name: "trackerd-page", dependencies: ["Page", arguments], swiftSettings: shared),
        .executableTarget(
            name: "trackerd",
            dependencies: [
                "Quantities", "JSON", "Calendar", "TrackingOptions", "Compatibility", "Motion", "Tracking", "Hardware",
                "Store", "Formats", "Upload", "Export", "Devices", "Recordings", "Configuration", "Control", "Doctor",
                "TrackerDaemon", "CLinux", arguments, logging,
            ], swiftSettings: shared),
        // The generator for parts of docs/; no product links this target.
        .target(
            name: "Documents",
            dependencies: [
                "Quantities", "Calendar", "TrackingOptions", "Compatibility", "Tracking", "Hardware", "Configuration",
                "Control", "TrackerDaemon",
            ],
            path: "Tools/Documents", swiftSettings: shared),
        .executableTarget(
            name: "trackerd-docs", dependencies: ["Documents"], path: "Tools/trackerd-docs", swiftSettings: shared),
        // Test support, which no product links: fakes and scenarios, contracts of the interfaces, and real servers.
        .target(
            name: "TestSupport",
            dependencies: [
                "Quantities", "TrackingOptions", "Compatibility", "Motion", "Tracking", "Hardware", "Recordings",
            ],
            path: "Tests/TestSupport", swiftSettings: shared),
        .target(
            name: "Contracts", dependencies: ["Quantities", "Motion", "Tracking", "Hardware", "Delivery"],
            path: "Tests/Contracts", swiftSettings: shared),
        .target(name: "Peers", path: "Tests/Peers", swiftSettings: shared),
        // Tests.
        tests("QuantitiesTests", ["Quantities"]),
        tests("JSONTests", ["JSON"]),
        tests("MotionTests", ["Quantities", "Motion", "TestSupport", "Contracts"]),
        tests("CalendarTests", ["Quantities", "Calendar", "TrackingOptions", "TestSupport"]),
        tests("TrackingOptionsTests", ["Quantities", "Calendar", "TrackingOptions"]),
        tests("CompatibilityTests", ["Quantities", "Calendar", "TrackingOptions", "Compatibility"]),
        tests(
            "TrackingTests",
            [
                "Quantities", "StopDetection", "Calendar", "TrackingOptions", "Compatibility", "Motion", "Tracking",
                "TestSupport",
            ]),
        tests("PageTests", ["Quantities", "Page"]),
        tests("HouseTests", []),
        tests(
            "DocumentsTests",
            [
                "Quantities", "Calendar", "TrackingOptions", "Compatibility", "Tracking", "Hardware", "Configuration",
                "Control", "TrackerDaemon", "Documents",
            ]),
        tests(
            "RecordingsTests",
            ["Quantities", "TrackingOptions", "Motion", "Tracking", "Hardware", "Recordings", "Contracts", "Peers"]),
        tests(
            "TestSupportTests",
            [
                "Quantities", "TrackingOptions", "Motion", "Tracking", "Hardware", "Recordings", "TestSupport",
                "Contracts",
            ]),
        tests("Scenarios", ["Quantities", "TrackingOptions", "Motion", "Tracking", "Recordings", "TestSupport"]),
        tests(
            "StoreTests",
            ["Quantities", "TrackingOptions", "Tracking", "Delivery", "Store", "TestSupport", "Contracts", grdb]),
        tests(
            "UploadTests",
            [
                "Quantities", "JSON", "Calendar", "TrackingOptions", "Tracking", "Formats", "Delivery", "Upload",
                "TestSupport", "Contracts", "Peers",
            ]),
        tests("ExportTests", ["Quantities", "Calendar", "Tracking", "Export"]),
        tests(
            "TrackerDaemonTests",
            [
                "Quantities", "JSON", "Calendar", "TrackingOptions", "Compatibility", "Motion", "Tracking", "Hardware",
                "Store", "Formats", "Delivery", "Upload", "Configuration", "Control", "Doctor", "TrackerDaemon",
                "CLinux", "Devices", "TestSupport", "Peers", logging,
            ]),
        tests(
            "DevicesTests",
            [
                "Quantities", "TrackingOptions", "Motion", "Tracking", "Hardware", "CGpsd", "CLinux", "Devices",
                "Recordings", "TestSupport", "Contracts", "Peers",
            ],
            resources: [.copy("Fixtures")]),
        tests(
            "EndToEndTests",
            ["trackerd", "trackerd-page", "Quantities", "Tracking", "Store", "Upload", "Control", "Peers", grdb]),
        tests(
            "LabTests",
            [
                "trackerd", "Quantities", "Motion", "Tracking", "Hardware", "Devices", "Recordings", "TestSupport",
                "Store", "Contracts", "Peers", grdb,
            ]),
    ]
)
