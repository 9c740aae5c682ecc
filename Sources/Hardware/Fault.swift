package import Motion

/// A condition in which a device does not work, or works with limits.
///
/// Code compares faults and matches their cases. Only the log and the status, which people read, contain a fault as a sentence.
package protocol Fault: Error, Sendable, Hashable, CustomStringConvertible {
    /// The device, the file or the line with the fault, such as `/dev/i2c-1 address 0x19`.
    var subject: String { get }

    /// What is wrong with the subject, without a full stop.
    var cause: String { get }

    /// The remedy for the user, in whole sentences; nil if there is none.
    var remedy: String? { get }

    /// The extent to which the device's function is lost.
    var severity: FaultSeverity { get }
}

/// The extent to which a fault limits a device's function.
package enum FaultSeverity: Int, Sendable, Hashable, Comparable {
    /// The device works, but draws more current or reports less than it should.
    case degraded
    /// The device does not work.
    case outOfService

    /// Compares two severities by the extent of the loss.
    package static func < (left: FaultSeverity, right: FaultSeverity) -> Bool { left.rawValue < right.rawValue }
}

extension Fault {
    /// The default severity, which is out of service; a fault may define another.
    package var severity: FaultSeverity { .outOfService }

    /// The fault in one or more sentences: what is wrong, and what to do.
    package var description: String {
        let sentence = "\(subject): \(cause)."
        return remedy.map { "\(sentence) \($0)" } ?? sentence
    }

    /// Returns whether this is the same fault as `other`, with the same values.
    package func isSame(as other: any Fault) -> Bool { (other as? Self) == self }
}

/// Several faults of one device; the most basic fault comes first.
package struct CombinedError: Fault {
    package let faults: [any Fault]

    /// Makes an error that combines these faults, at least one.
    package init(faults: [any Fault]) { self.faults = faults }

    /// Combines faults without repetitions; returns nil if there are none, and the fault itself if there is only one.
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
