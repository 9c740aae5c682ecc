import Testing

@Suite("Options of fixes, in a replay")
struct FixOptionReplayTests {
    private static let improving: SyntheticDrive = {
        var drive = SyntheticDrive()
        drive.stand(60)
        for (accuracy_m, seconds) in [(150, 30), (60, 30), (15, 30), (5, 200)] {
            drive.accuracy_m = accuracy_m
            drive.drive(seconds, at: 15)
        }
        drive.stand(300)
        return drive
    }()

    /// The section `tracking`, and the horizontal error of the first track point in metres; nil if the receiver stays off.
    static let accuracies: [(tracking: String, first_m: Double?)] = [
        ("{desiredAccuracy: best}", 60), ("{desiredAccuracy: high}", 60), ("{desiredAccuracy: medium}", 60),
        ("{desiredAccuracy: none}", nil),
        ("{desiredAccuracy: best, fixTimeout: 40}", 60),
        ("{radar: {desiredMovingUpdateInterval: 5, desiredAccuracy: high}}", 150),
        ("{radar: {desiredMovingUpdateInterval: 5}}", 150),
        ("{radar: {desiredMovingUpdateInterval: 5, desiredAccuracy: .low}}", 150),
        ("{radar: {platform: android, desiredMovingUpdateInterval: 5, desiredAccuracy: 3}}", 150),
        ("{radar: {platform: android, desiredMovingUpdateInterval: 5, desiredAccuracy: 2}}", 150),
        ("{radar: {platform: android, desiredMovingUpdateInterval: 5, desiredAccuracy: 1}}", 150),
        ("{radar: {platform: android, desiredMovingUpdateInterval: 5, desiredAccuracy: 0}}", nil),
        ("{transistor: {desiredAccuracy: -2}}", 150), ("{transistor: {desiredAccuracy: -1}}", 150),
        ("{transistor: {desiredAccuracy: 10}}", 150), ("{transistor: {desiredAccuracy: 100}}", 150),
        ("{transistor: {desiredAccuracy: -2, locationTimeout: 40}}", 150),
        ("{geoManager: {}}", 150), ("{geoManager: {accuracy: hundredMeters}}", 150),
        ("{geoManager: {accuracy: kilometer}}", 150), ("{geoManager: {accuracy: unknown}}", 150),
        ("{ownTracks: {platform: android, monitoring: 1, locatorInterval: 60, locatorPriority: 3}}", 60),
        ("{ownTracks: {platform: android, monitoring: 1, locatorInterval: 60, locatorPriority: 2}}", 60),
        ("{ownTracks: {platform: android, monitoring: 1, locatorInterval: 60, locatorPriority: 0}}", nil),
    ]

    @Test(
        "The track begins with the first fix within `accuracyLimit`, whatever accuracy is desired.",
        arguments: accuracies)
    func desiredAccuracy(tracking: String, first_m: Double?) throws {
        let drive = try ReplayedDrive(Self.improving, tracking: tracking)
        #expect(drive.records.first { $0.kind == "location" }?.accuracy_m == first_m)
        #expect(drive.receiver.isEmpty == (first_m == nil))
        #expect(drive.states.first?.name == "moving")
    }

    /// The section `tracking`, and the largest horizontal error of a track point in metres.
    static let limits: [(tracking: String, largest_m: Double)] = [
        ("{desiredAccuracy: low, accuracyLimit: 100}", 60), ("{desiredAccuracy: low, accuracyLimit: 200}", 150),
        ("{desiredAccuracy: low, trckr: {DesiredAccuracy: 100}}", 60), ("{desiredAccuracy: low, trckr: {}}", 150),
        ("{desiredAccuracy: low, ownTracks: {monitoring: 2, ignoreInaccurateLocations: 100}}", 60),
        ("{desiredAccuracy: low, ownTracks: {monitoring: 2, ignoreInaccurateLocations: 0}}", 150),
    ]

    @Test("No track point has a horizontal error above `accuracyLimit`.", arguments: limits)
    func accuracyLimit(tracking: String, largest_m: Double) throws {
        var inaccurate = SyntheticDrive()
        inaccurate.stand(60)
        for accuracy_m in [150, 60] {
            inaccurate.accuracy_m = accuracy_m
            inaccurate.drive(60, at: 15)
        }
        let drive = try ReplayedDrive(inaccurate, tracking: tracking)
        #expect(drive.points(in: 60...180).compactMap(\.accuracy_m).max() == largest_m)
        #expect((drive.refused["inaccurate"] ?? 0 > 0) == (largest_m == 60))
    }

    @Test(
        "Without a fix, trackerd switches the receiver off after `fixTimeout`, and records that the receiver is silent.",
        arguments: [("{fixTimeout: 60}", 60.0), ("{fixTimeout: 80}", 80), ("{transistor: {locationTimeout: 60}}", 60)])
    func fixTimeout(tracking: String, seconds: Double) throws {
        var silent = SyntheticDrive()
        silent.stand(60)
        silent.accuracy_m = nil
        silent.drive(300, at: 15)
        let drive = try ReplayedDrive(silent, tracking: tracking)
        let search = try #require(drive.receiver.dropFirst().first)
        // The receiver goes on with the first second of motion; the search begins with the trip.
        let start = try #require(drive.states.first { $0.name == "moving" }?.at_s)
        #expect(search.upperBound - start == seconds && start - search.lowerBound < 5)
        #expect(drive.records.contains { $0.kind == "providerchange" })
    }
}
