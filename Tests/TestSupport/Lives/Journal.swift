import Foundation
package import Quantities
package import Tracking
import TrackingOptions

/// Everything that an engine does in a life: the lines, the number of records of each kind, and a fingerprint of the lines.
package struct Journal {
    /// The number of reports of the receiver.
    package var fixes = 0
    /// The lines, which a person can compare with the lines of a later version of the rules.
    package private(set) var lines: [String] = []
    private var counts: [String: Int] = [:]
    /// The FNV-1a hash of the lines, 64 bits: http://www.isthe.com/chongo/tech/comp/fnv/.
    private var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    private let encoder = JSONEncoder()

    package init() { encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes] }

    package mutating func note(_ effect: Effect, at now: Instant) {
        switch effect {
        case .record(let record):
            counts["\(record.kind)", default: 0] += 1
            add("\(now) record \(text(of: record))")
        case .refused(let rejection):
            counts["refused", default: 0] += 1
            add("\(now) refused \(rejection)")
        case .decided(let decision): add("\(now) \(decision.subject): \(decision.text)")
        default: add("\(now) \(effect)")
        }
    }

    package mutating func note(_ engine: Engine, at now: Instant) {
        let status = engine.status
        let options = status.resolvedOptions.items.filter { $0.origin != .default }
        add(
            """
            \(now) status \(status.suspension.map { "\($0)" } ?? "") \(status.isWithinSchedule) \(status.mode) \
            \(status.nextScheduleChange(at: now)?.description ?? "") \(status.supplyVoltage(at: now)?.description ?? "") \
            \(status.receiverOnSince.map { "\($0)" } ?? "") \(text(of: status.lastKnownLocation)) \
            \(status.regionsInside.map(\.id)) \(status.watchedRegions.map(\.id)) \(status.time(at: now)) \
            \(options.map { "\($0.key)=\($0.value) (\($0.name))" })
            """)
    }

    /// Adds the engine's state as the disk stores it.
    package mutating func note(_ state: EngineState) { add("state \(text(of: state))") }

    /// Adds a line with its numbers rounded to five decimals.
    ///
    /// Differences in the last bits of a sine therefore almost never change the line.
    package mutating func add(_ line: String) {
        let line = Self.rounded(line)
        lines.append(line)
        for byte in line.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }

    /// The numbers of fixes, of records by kind and of lines, and the fingerprint.
    package var summary: String {
        let kinds = counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        return "\(fixes) fixes: \(kinds); \(lines.count) lines, \(String(hash, radix: 16))"
    }

    private func text(of value: some Encodable) -> String {
        (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "not encodable"
    }

    private static func rounded(_ line: String) -> String {
        line.replacing(/\d+\.\d{5,}(e-?\d+)?/) { match in
            Double(match.output.0).map { "\(($0 * 1e5).rounded() / 1e5)" } ?? String(match.output.0)
        }
    }
}

extension Journal {
    /// Writes all lines into the folder in the environment variable `TRACKERD_JOURNALS`, if that variable is set.
    package func save(as name: String) throws {
        guard let folder = ProcessInfo.processInfo.environment["TRACKERD_JOURNALS"] else { return }
        try lines.joined(separator: "\n").write(toFile: "\(folder)/\(name).txt", atomically: true, encoding: .utf8)
    }
}
