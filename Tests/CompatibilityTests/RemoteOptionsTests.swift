import Quantities
import Testing
import TrackingOptions

@testable import Compatibility

@Suite("Tracking options of the server")
struct RemoteOptionsTests {
    private static func distanceFilter(_ metres: Int) -> OptionTree {
        .mapping(tree(["distanceFilter": .text("\(metres)")]))
    }

    private func distance(
        _ pairs: KeyValuePairs<String, OptionTree>, _ environment: RemoteOptions.Environment = .live,
        isOnTrip: Bool = true
    ) throws -> Double {
        let remote = try RemoteOptions.read(.mapping(tree(pairs)))
        let layers = OptionLayers(remote.layers(environment))
        return layers.resolve(isOnTrip: isOnTrip).options.distanceFilter.value
    }

    @Test("Remote options without levels apply always.")
    func flat() throws {
        for environment in RemoteOptions.Environment.allCases {
            for isOnTrip in [true, false] {
                #expect(try distance(["distanceFilter": "7"], environment, isOnTrip: isOnTrip) == 7)
            }
        }
    }

    @Test("Remote options are selected by environment, operating system and trip status.")
    func levels() throws {
        let document: KeyValuePairs<String, OptionTree> = [
            "live": .mapping(
                tree([
                    "linux": .mapping(tree(["onTrip": Self.distanceFilter(1), "offTrip": Self.distanceFilter(2)])),
                    "android": .mapping(tree(["onTrip": .mapping(tree(["whatever": "x"]))])),
                ])),
            "test": .mapping(tree(["any": .mapping(tree(["any": Self.distanceFilter(3)]))])),
        ]
        #expect(try distance(document, .live, isOnTrip: true) == 1)
        #expect(try distance(document, .live, isOnTrip: false) == 2)
        #expect(try distance(document, .test, isOnTrip: true) == 3)
        #expect(try distance(document, .test, isOnTrip: false) == 3)
    }

    @Test("Only the most specific object of the remote options applies.")
    func specific() throws {
        let document: KeyValuePairs<String, OptionTree> = [
            "live": .mapping(
                tree([
                    "any": .mapping(tree(["onTrip": Self.distanceFilter(4), "any": Self.distanceFilter(5)])),
                    "linux": .mapping(tree(["offTrip": Self.distanceFilter(6)])),
                ]))
        ]
        #expect(try distance(document, isOnTrip: true) == 4)
        #expect(try distance(document, isOnTrip: false) == 6)
        // The default applies, because no object matches this environment.
        #expect(try distance(document, .test) == 10)
    }

    @Test("Remote options may omit levels.", arguments: ["live", "linux", "onTrip", "any"])
    func someLevels(level: String) throws {
        let document = OptionTree.mapping([.init(level, line: 1, Self.distanceFilter(8))])
        let layers = try OptionLayers(RemoteOptions.read(document).layers(.live))
        #expect(layers.resolve(isOnTrip: true).options.distanceFilter == Metres(8))
    }

    @Test("Remote options state the object from which they come.")
    func source() throws {
        let inner = OptionTree.mapping(tree(["linux": .mapping(tree(["onTrip": Self.distanceFilter(1)]))]))
        let layers = try OptionLayers(RemoteOptions.read(.mapping(tree(["live": inner]))).layers(.live))
        let item = layers.resolve(isOnTrip: true).item("distanceFilter")
        #expect(item?.origin == .remote && item?.source == "live.linux.onTrip")
    }

    @Test("Remote options may be a preset, which then applies as a whole.")
    func preset() throws {
        let remote = try RemoteOptions.read(.mapping(tree(["preset": "responsive"])))
        let resolved = OptionLayers([.profile(.vehicle)] + remote.layers(.live)).resolve(isOnTrip: false)
        #expect(resolved.options == Profile.named("responsive-ios")?.options)
        #expect(resolved.item("turnFilter")?.source == "profile responsive-ios: default")
    }

    @Test("An empty document removes all remote options.", arguments: [OptionTree.empty, .mapping([])])
    func withdrawn(document: OptionTree) throws {
        #expect(try RemoteOptions.read(document).layers(.live).isEmpty)
    }

    @Test(
        "Remote options with a mistake are refused as a whole.",
        arguments: [
            (
                [
                    "live": .mapping(
                        tree(["linux": .mapping(tree(["onTrip": distanceFilter(-1), "offTrip": distanceFilter(5)]))]))
                ],
                "`remote.live.linux.onTrip.distanceFilter` must be a number of metres from 0 to 100000; `-1` is not."
            ),
            (["distanceFliter": "5"], "`remote.distanceFliter` is not an option. Did you mean `distanceFilter`?"),
            (
                ["live": distanceFilter(5), "tes": distanceFilter(6)],
                "`remote.tes` does not belong here. Did you mean `test`?"
            ),
            (
                ["live": .mapping(tree(["linux": distanceFilter(5), "distanceFilter": "6"]))],
                "`remote.live.distanceFilter` does not belong here. Known keys: linux, any, android, ios."
            ),
            (["live": "yes"], "`remote.live` must be an object; `yes` is not."),
        ] as [(KeyValuePairs<String, OptionTree>, String)])
    func refused(pairs: KeyValuePairs<String, OptionTree>, message: String) {
        let error = #expect(throws: RemoteOptionsError.self) { try RemoteOptions.read(.mapping(tree(pairs))) }
        #expect(error?.description == message)
    }
}
