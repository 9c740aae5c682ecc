import Tracking
import TrackingOptions

/// A record's properties with few possible values, packed into the column `flags`.
struct RecordFlags: Hashable, Sendable {
    struct Field: Sendable {
        fileprivate let shift: Int64
        fileprivate let mask: Int64

        fileprivate init(_ shift: Int64, bits: Int64) { (self.shift, mask) = (shift, 1 << bits - 1) }

        var sql: String { "flags >> \(shift) & \(mask)" }

        func sql(settingTo value: Int) -> String { "flags & ~\(mask << shift) | \(Int64(value) << shift)" }
    }

    // What most locations have comes first, because SQLite stores a small number in fewer bytes.
    static let isMoving = Field(0, bits: 1)
    static let isTimeTrusted = Field(1, bits: 1)
    static let isPlace = Field(2, bits: 1)
    static let isStop = Field(3, bits: 1)
    // In these three, 0 is nil, 1 true and 2 false.
    static let isWithheld = Field(4, bits: 2)
    static let isTimeCounted = Field(6, bits: 2)
    static let ignition = Field(8, bits: 2)
    // 0: nil; otherwise the mode plus 2.
    static let mode = Field(10, bits: 3)
    // The number of a `DateDoubt`.
    static let doubt = Field(13, bits: 2)
    // 1: not for targets yet; 2: offered to a target, and changed no more (`HeldRecords`).
    static let held = Field(15, bits: 2)
    // In both of these, 0 is nil.
    static let solution = Field(17, bits: 2)
    static let trigger = Field(19, bits: 3)

    private static let count = 22

    /// The names and expressions of the generated columns.
    static let queried = [
        ("is_stop", isStop.sql), ("is_place", isPlace.sql), ("is_withheld", "(\(isWithheld.sql)) = 1"),
        ("is_doubtful", doubt.sql), ("is_held", held.sql),
    ]

    private static let solutions: [Fix.Solution] = [.deadReckoning, .combined, .simulated]
    private static let triggers: [Record.Trigger] = [.region, .beacon, .follow, .movedUnseen]

    /// This and `triggerWords` are for `RecordView`.
    static let solutionWords = Dictionary(uniqueKeysWithValues: solutions.map { ($0.number, $0.rawValue) })
    static let triggerWords = Dictionary(uniqueKeysWithValues: triggers.map { ($0.number, $0.rawValue) })

    var bits: Int64 = 0

    init() {}

    init(_ record: Record) {
        self[Self.isMoving] = record.isMoving ? 1 : 0
        self[Self.isTimeTrusted] = record.isTimeTrusted ? 1 : 0
        self[Self.isPlace] = record.isPlace ? 1 : 0
        self[Self.isStop] = record.isStop ? 1 : 0
        self[Self.isWithheld] = Self.number(record.isWithheld)
        self[Self.isTimeCounted] = Self.number(record.isTimeCounted)
        self[Self.ignition] = Self.number(record.ignition)
        self[Self.mode] = record.mode.map { Int64($0.rawValue) + 2 } ?? 0
        self[Self.solution] = record.position?.solution?.number ?? 0
        self[Self.trigger] = record.trigger?.number ?? 0
    }

    subscript(field: Field) -> Int64 {
        get { bits >> field.shift & field.mask }
        set { bits = bits & ~(field.mask << field.shift) | (newValue & field.mask) << field.shift }
    }

    /// False if this version does not know a value.
    func read(into record: inout Record) -> Bool {
        guard bits >> Self.count == 0 else { return false }
        record.isMoving = self[Self.isMoving] == 1
        record.isTimeTrusted = self[Self.isTimeTrusted] == 1
        guard let isWithheld = truth(Self.isWithheld), let isTimeCounted = truth(Self.isTimeCounted),
            let ignition = truth(Self.ignition), let trigger = value(Self.trigger, of: Self.triggers, \.number)
        else { return false }
        (record.isWithheld, record.isTimeCounted, record.ignition) = (isWithheld, isTimeCounted, ignition)
        record.trigger = trigger
        let mode = self[Self.mode]
        record.mode = MonitoringMode(rawValue: Int(mode) - 2)
        return mode == 0 || record.mode != nil
    }

    /// The outer value is nil if this version does not know the solution.
    var solution: Fix.Solution?? { value(Self.solution, of: Self.solutions, \.number) }

    private static func number(_ truth: Bool?) -> Int64 { truth.map { $0 ? 1 : 2 } ?? 0 }

    private func truth(_ field: Field) -> Bool?? {
        let number = self[field]
        return number == 0 ? .some(nil) : number == 1 ? true : number == 2 ? false : nil
    }

    private func value<Value>(_ field: Field, of all: [Value], _ number: (Value) -> Int64) -> Value?? {
        guard self[field] > 0 else { return .some(nil) }
        return all.first { number($0) == self[field] }.map { .some($0) }
    }
}

extension Fix.Solution {
    fileprivate var number: Int64 {
        switch self {
        case .deadReckoning: 1
        case .combined: 2
        case .simulated: 3
        }
    }
}

extension Record.Trigger {
    fileprivate var number: Int64 {
        switch self {
        case .region: 1
        case .beacon: 2
        case .follow: 3
        case .movedUnseen: 4
        }
    }
}
