package import Motion

/// A device does not work, or works with limits. Code matches cases; the sentences are for people.
package protocol Fault: Error, Sendable, Hashable, CustomStringConvertible {
    /// The faulty part, such as `/dev/i2c-1 address 0x19`.
    var subject: String { get }

    /// Without a full stop.
    var cause: String { get }

    /// In whole sentences.
    var remedy: String? { get }

    var severity: FaultSeverity { get }
}

package enum FaultSeverity: Int, Sendable, Hashable, Comparable {
    /// The device works, but draws more current or reports less than it should.
    case degraded
    case outOfService

    package static func < (left: FaultSeverity, right: FaultSeverity) -> Bool { left.rawValue < right.rawValue }
}

extension Fault {
    package var severity: FaultSeverity { .outOfService }

    package var description: String {
        let sentence = "\(subject): \(cause)."
        return remedy.map { "\(sentence) \($0)" } ?? sentence
    }

    package func isSame(as other: any Fault) -> Bool { (other as? Self) == self }
}

/// The most basic fault comes first.
package struct CombinedError: Fault {
    package let faults: [any Fault]

    package init(faults: [any Fault]) { self.faults = faults }

    /// Combines faults without repetitions; if there is only one, returns the fault itself.
    package static func combining(_ faults: [any Fault]) -> (any Fault)? {
        var unique: [any Fault] = []
        for fault in faults where !unique.contains(where: { fault.isSame(as: $0) }) { unique.append(fault) }
        return unique.count > 1 ? CombinedError(faults: unique) : unique.first
    }

    package var subject: String { faults.first?.subject ?? "" }
    package var cause: String { faults.first?.cause ?? "" }
    package var remedy: String? { faults.first?.remedy }
    package var severity: FaultSeverity { faults.map(\.severity).max() ?? .degraded }
    package var description: String { faults.map(\.description).joined(separator: " ") }

    package static func == (left: CombinedError, right: CombinedError) -> Bool {
        left.faults.count == right.faults.count && zip(left.faults, right.faults).allSatisfy { $0.isSame(as: $1) }
    }

    package func hash(into hasher: inout Hasher) { for fault in faults { hasher.combine(fault) } }
}

// Motion declares the errors of the bus and the chips, but does not import this module.
extension BusError: Fault {}
extension ChipError: Fault {}
