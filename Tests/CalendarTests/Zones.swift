import Foundation
import Quantities
import Testing
import TrackingOptions

@testable import Calendar

/// Only tests that call `file` need the tz database; the zones have their rules of 2026.
enum Zones {
    static let berlin = zone("CET-1CEST,M3.5.0,M10.5.0/3")
    static let newYork = zone("EST5EDT,M3.2.0,M11.1.0")
    /// A zone that moves its clocks forward by half an hour in spring.
    static let lordHowe = zone("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0")
    static let kathmandu = zone("<+0545>-5:45")
    static let saoPaulo = zone("<-03>3")
    /// A zone that moved across the date line, so the day 2011-12-30 did not exist.
    static let apia = TimeZoneRules(
        initialOffset: -10 * 3600,
        transitions: [TimeZoneRules.Transition(time: Timestamp.utc(2011, 12, 30, 10, 0).seconds, offset: 14 * 3600)],
        rule: nil)

    static let all = [
        ("Europe/Berlin", berlin), ("America/New_York", newYork), ("Australia/Lord_Howe", lordHowe),
        ("Asia/Kathmandu", kathmandu), ("America/Sao_Paulo", saoPaulo), ("Pacific/Apia", apia),
    ]

    static let hasFiles = FileManager.default.fileExists(atPath: folder + "Europe/Berlin")

    static func file(_ name: String) throws -> TimeZoneRules {
        try TimeZoneRules(zoneFile: [UInt8](Data(contentsOf: URL(fileURLWithPath: folder + name))))
    }

    private static let folder = "/usr/share/zoneinfo/"

    private static func zone(_ rule: String) -> TimeZoneRules {
        TimeZoneRules(initialOffset: 0, transitions: [], rule: YearlyRule(rule.utf8))
    }
}

extension Timestamp {
    static func utc(_ year: Int, _ month: Int, _ day: Int, _ hour: Int, _ minute: Int) -> Timestamp {
        Timestamp(year: year, month: month, day: day) + .seconds(hour * 3600 + minute * 60)
    }
}
