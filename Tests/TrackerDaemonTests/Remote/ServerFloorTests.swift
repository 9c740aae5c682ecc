import Calendar
import Foundation
import Quantities
import Testing
import TrackingOptions

@Suite("The floor for the options of a server")
struct ServerFloorTests {
    private static let mark = "<!-- table of floors -->\n"

    @Test("Each stored property of the options is in the table of options, and so has a floor.")
    func complete() {
        #expect(Mirror(reflecting: TrackingOptions()).children.count == TrackingOption.all.count)
    }

    /// If the environment contains `TRACKERD_WRITE_DOCS`, the test corrects the document instead of comparing it.
    @Test("The table in docs/remote-control.md states the floor of every option.")
    func document() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let file = root.appendingPathComponent("docs/remote-control.md")
        var parts = try String(contentsOf: file, encoding: .utf8).components(separatedBy: Self.mark)
        try #require(parts.count == 3)
        if ProcessInfo.processInfo.environment["TRACKERD_WRITE_DOCS"] != nil {
            parts[1] = FloorDocument.table
            try parts.joined(separator: Self.mark).write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(parts[1] == FloorDocument.table, "Run this test with TRACKERD_WRITE_DOCS=1 to correct the document.")
    }

    @Test(
        "A server reaches the floor of an option, but not a value below it; a harmless option has no such value.",
        arguments: TrackingOption.all)
    func limits(option: TrackingOption) throws {
        let trial = try FloorTrial(option)
        for value in trial.allowed { #expect(try trial.faults(of: value) == [], "\(value)") }
        for value in trial.refused { #expect(try trial.faults(of: value) == [option.key], "\(value)") }
        switch option.floor {
        case .harmless: #expect(trial.refused.isEmpty && !trial.allowed.isEmpty)
        case .number, .words, .staysOn, .staysOff, .track, .needsSilence, .forbidden: #expect(!trial.refused.isEmpty)
        }
    }

    @Test("The owner's limits replace the usual limits of intervals, distances and the accuracy.")
    func ownersLimits() {
        var limits = ServerLimits()
        (limits.interval, limits.distance, limits.accuracy) = (.seconds(600), Metres(500), Metres(100))
        func keys(_ change: (inout TrackingOptions) -> Void) -> [String] {
            var after = TrackingOptions()
            change(&after)
            return FloorCheck(owned: TrackingOptions(), limits: limits)
                .silencingKeys(in: after)
        }
        #expect(keys { $0.desiredSyncInterval = .seconds(600) } == [])
        #expect(keys { $0.desiredSyncInterval = .seconds(601) } == ["desiredSyncInterval"])
        #expect(keys { $0.distanceFilter = Metres(500) } == [])
        #expect(keys { $0.distanceFilter = Metres(501) } == ["distanceFilter"])
        #expect(keys { $0.accuracyLimit = Metres(100) } == [])
        #expect(keys { $0.accuracyLimit = Metres(99) } == ["accuracyLimit"])
    }

    @Test("A value that reduces no more than the owner's value is accepted beyond every limit.")
    func present() {
        var (owned, after) = (TrackingOptions(), TrackingOptions())
        (owned.distanceFilter, after.distanceFilter) = (Metres(20_000), Metres(20_000))
        (owned.startDelay, after.startDelay) = (.seconds(3600), .seconds(3600))
        (owned.sync, after.sync) = (.none, .stopsAndExits)
        let check = FloorCheck(owned: owned, limits: ServerLimits())
        #expect(check.silencingKeys(in: after) == [])
        (after.distanceFilter, after.startDelay) = (Metres(20_001), .seconds(3601))
        #expect(check.silencingKeys(in: after) == ["distanceFilter", "startDelay"])
    }

    @Test("The last rule that records a regular track cannot be switched off, but one of two can.")
    func lastRule() {
        var owned = TrackingOptions()
        owned.desiredMovingUpdateInterval = .seconds(60)
        let check = FloorCheck(owned: owned, limits: ServerLimits())
        var after = owned
        after.distanceFilter = .zero
        #expect(check.silencingKeys(in: after) == [])
        after.desiredMovingUpdateInterval = .zero
        #expect(check.silencingKeys(in: after) == ["desiredMovingUpdateInterval", "distanceFilter"])
        after.useSignificantLocationChanges = true
        #expect(check.silencingKeys(in: after) == [])
    }
}

/// Values for one option: some that a server can set without the permission `silence`, and some that it cannot.
private struct FloorTrial {
    let option: TrackingOption
    private var owned = TrackingOptions()
    private(set) var allowed: [OptionValue] = []
    private(set) var refused: [OptionValue] = []

    init(_ option: TrackingOption) throws {
        self.option = option
        owned.distanceFilter = .zero
        switch option.floor {
        case .harmless: allowed = Self.others(option)
        case .needsSilence, .forbidden: refused = Self.others(option)
        case .words(let words, let last):
            let index = try #require(words.firstIndex(of: last))
            try own(.choice(words[0]))
            (allowed, refused) = (words[...index].map { .choice($0) }, words[(index + 1)...].map { .choice($0) })
        case .staysOn:
            try own(.flag(true))
            (allowed, refused) = ([.flag(true)], [.flag(false)])
        case .staysOff(let key):
            let limited = try #require(TrackingOption.named(key))
            #expect(limited.assign(Self.value(99_999, like: limited), to: &owned))
            try own(.flag(false))
            (allowed, refused) = ([.flag(false)], [.flag(true)])
        case .track:
            try own(.flag(true))
            (allowed, refused) = ([.flag(true)], [.flag(false)])
        case .number(let from, let to, let zero): try readNumbers(from, to, zero)
        }
    }

    private mutating func readNumbers(
        _ from: ServerFloor.Limit?, _ to: ServerFloor.Limit?, _ zero: ServerFloor.Zero
    ) throws {
        let limits = [from, to].compactMap { $0 }.map(Self.number)
        let ownNumber = try #require(limits.min())
        try own(Self.value(ownNumber, like: option))
        for (limit, step) in [(from, -1.0), (to, 1.0)] {
            guard let limit else { continue }
            allowed.append(Self.value(Self.number(limit), like: option))
            refused.append(Self.value(Self.number(limit) + step, like: option))
        }
        let none = Self.value(0, like: option)
        switch zero {
        case .ordinary: break
        case .harmless: allowed.append(none)
        case .off, .track: refused.append(none)
        }
    }

    private mutating func own(_ value: OptionValue) throws { try #require(option.assign(value, to: &owned)) }

    /// Returns the keys that a check reports if a server sets the option to a value.
    func faults(of value: OptionValue) throws -> [String] {
        var after = owned
        try #require(option.assign(value, to: &after), "\(value)")
        let check = FloorCheck(owned: owned, limits: ServerLimits())
        return check.silencingKeys(in: after) + check.forbiddenKeys(in: after)
    }

    private static func number(_ limit: ServerFloor.Limit) -> Double {
        switch limit {
        case .interval: 3600
        case .distance: 10_000
        case .accuracy: 50
        case .owner: 7
        case .fixed(let number): number
        }
    }

    private static func value(_ number: Double, like option: TrackingOption) -> OptionValue {
        switch option.kind {
        case .duration: .duration(Duration(inSeconds: number))
        case .metres: .length(Metres(number))
        case .speed: .speed(MetresPerSecond(number))
        case .degrees: .angle(Degrees(number))
        case .count: .count(Int(number))
        case .number, .flag, .choice, .text, .timestamp, .timeOfDay, .crontab: .number(number)
        }
    }

    private static func others(_ option: TrackingOption) -> [OptionValue] {
        let present = option.value(in: TrackingOptions())
        let all: [OptionValue] =
            switch option.kind {
            case .duration, .metres, .speed, .degrees, .number, .count:
                [value(1, like: option), value(300, like: option)]
            case .flag: [.flag(true), .flag(false)]
            case .choice(let words): words.map { .choice($0) }
            case .text: [.text("tag")]
            case .timestamp: [.timestamp(Timestamp(milliseconds: 0))]
            case .timeOfDay: [.timeOfDay(TimeOfDay(hour: 7, minute: 7) ?? .startOfDay)]
            case .crontab: [.text("* 7 * * *")]
            }
        return all.filter { $0 != present }
    }
}

private enum FloorDocument {
    static var table: String {
        let head = ["| options | values without `silence` |", "| --- | --- |"]
        var rows: [(keys: [String], words: String)] = []
        for option in TrackingOption.all {
            if let index = rows.firstIndex(where: { $0.words == words(option) }) {
                rows[index].keys.append("`\(option.key)`")
            } else {
                rows.append((["`\(option.key)`"], words(option)))
            }
        }
        let lines = rows.map { "| \($0.keys.joined(separator: ", ")) | \($0.words) |" }
        return (head + lines).joined(separator: "\n") + "\n"
    }

    private static func words(_ option: TrackingOption) -> String {
        switch option.floor {
        case .harmless: "all"
        case .words(let words, let last):
            words[...(words.firstIndex(of: last) ?? 0)].map { "`\($0)`" }.joined(separator: ", ")
        case .staysOn: "`true`"
        case .staysOff(let key): "`false`; `true` only while `\(key)` is within its limit"
        case .track: "`true`; `false` only if another rule records the track"
        case .needsSilence: "only the owner's value"
        case .forbidden: "only the owner's value, even with `silence`"
        case .number(let from, let to, let zero): numbers(from, to, zero, option)
        }
    }

    private static func numbers(
        _ from: ServerFloor.Limit?, _ to: ServerFloor.Limit?, _ zero: ServerFloor.Zero, _ option: TrackingOption
    ) -> String {
        let bounds = [from.map { "at least \(name($0, option))" }, to.map { "at most \(name($0, option))" }]
        let range = bounds.compactMap { $0 }.joined(separator: ", ")
        return switch zero {
        case .ordinary: range
        case .off: "\(range), but not 0"
        case .harmless: "\(range), or 0"
        case .track: "\(range); 0 only if another rule records the track"
        }
    }

    private static func name(_ limit: ServerFloor.Limit, _ option: TrackingOption) -> String {
        switch (limit, option.kind) {
        case (.interval, _): "`interval` (1 h)"
        case (.distance, _): "`distance` (10 km)"
        case (.accuracy, _): "`accuracy` (50 m)"
        case (.owner, _): "the owner's value"
        case (.fixed(let number), .duration): number < 120 ? "\(Int(number)) s" : "\(Int(number / 60)) min"
        case (.fixed(let number), .metres): "\(NumberText.write(number)) m"
        case (.fixed(let number), .speed): "\(NumberText.write(number)) m/s"
        case (.fixed(let number), .degrees): "\(NumberText.write(number))°"
        case (.fixed(let number), _): NumberText.write(number)
        }
    }
}
