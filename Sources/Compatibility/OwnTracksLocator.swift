import TrackingOptions

/// How often and how accurately OwnTracks locates the device; platform and mode decide which of its keys apply.
struct OwnTracksLocator {
    /// This key sets the fastest interval to the mode's interval. OwnTracks records no fixes of other apps within the
    /// fastest interval.
    static let peg = "pegLocatorFastestIntervalToInterval"
    static let keys: Set<String> = [
        "locatorInterval", "locatorDisplacement", "locatorPriority", "moveModeLocatorInterval", peg,
    ]

    struct Result {
        var values: [(entry: OptionTree.Entry, key: String, value: OptionValue)] = []
        var ignored: [OptionTree.Entry] = []
    }

    private var given: [(entry: OptionTree.Entry, value: OptionValue)] = []

    mutating func read(_ entry: OptionTree.Entry, _ value: OptionValue) { given.append((entry, value)) }

    func result(in mode: MonitoringMode, on platform: OptionPlatform) -> Result {
        var result = Result()
        for (entry, value) in given {
            let options = Self.options(of: entry.key, in: mode, on: platform)
            if options.isEmpty { result.ignored.append(entry) }
            for option in options { result.values.append((entry, option, value)) }
        }
        peg(&result)
        if platform == .android { restAtOnePlace(&result) }
        return result
    }

    private static func options(
        of key: String, in mode: MonitoringMode, on platform: OptionPlatform
    ) -> [String] {
        switch (key, mode, platform) {
        case ("locatorInterval", .move, .ios), ("locatorInterval", .significant, .android):
            ["desiredMovingUpdateInterval", "desiredStoppedUpdateInterval"]
        case ("moveModeLocatorInterval", .move, .android):
            ["desiredMovingUpdateInterval", "fastestStoppedUpdateInterval"]
        case ("locatorDisplacement", .move, .ios), ("locatorDisplacement", .significant, .android): ["distanceFilter"]
        case ("locatorPriority", .significant, .android): ["desiredAccuracy"]
        case (peg, .move, .android), (peg, .significant, .android): ["fastestMovingUpdateInterval"]
        default: []
        }
    }

    private func peg(_ result: inout Result) {
        let interval = result.values.first { $0.key == "desiredMovingUpdateInterval" }?.value
        result.values = result.values.compactMap { item in
            guard item.entry.key == Self.peg else { return item }
            guard item.value == .flag(true), let interval else { return nil }
            return (item.entry, item.key, interval)
        }
    }

    /// Switches the interval off while parked if a displacement is set: Android demands both, and a parked vehicle
    /// does not move that far.
    private func restAtOnePlace(_ result: inout Result) {
        guard let displacement = result.values.first(where: { $0.key == "distanceFilter" && !$0.value.isZero }) else {
            return
        }
        result.values.removeAll { $0.key == "desiredStoppedUpdateInterval" }
        result.values.append((displacement.entry, "desiredStoppedUpdateInterval", .seconds(0)))
    }
}
