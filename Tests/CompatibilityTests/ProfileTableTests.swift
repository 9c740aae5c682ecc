import Foundation
import Testing
import TrackingOptions

@testable import Compatibility

@Suite("The table of the profiles")
struct ProfileTableTests {
    /// All values that the profiles set, in the form of `Tests/Golden/profiles.txt`: a line with the profile, then a line per
    /// option.
    private static var table: String {
        Profile.all.map { profile in
            "\(profile.name)\n"
                + profile.assignments.map { "  \($0.key): \($0.value) (\($0.source))\n" }.sorted().joined()
        }.joined()
    }

    @Test("The values of each profile are those in the recorded table.")
    func golden() throws {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let file = tests.appendingPathComponent("Golden/profiles.txt")
        if ProcessInfo.processInfo.environment["TRACKERD_WRITE_DOCS"] != nil {
            try Self.table.write(to: file, atomically: true, encoding: .utf8)
        }
        let recorded = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        for (line, expected) in zip(Self.table.split(separator: "\n"), recorded) { #expect(line == expected) }
        #expect(Self.table.split(separator: "\n").count == recorded.count)
    }
}
