/// Which of its two sets of commands a controller is scanned with.
package enum ScanKind: Sendable, Hashable {
    /// Those of Bluetooth 4.0.
    case legacy
    /// Those of Bluetooth 5.0; once they were used the others are refused, and the other way round.
    case extended

    /// The command that says how to scan.
    package var setParameters: HCIOpcode {
        switch self {
        case .legacy: .setParameters
        case .extended: .setExtendedParameters
        }
    }

    /// The command that switches the scan.
    package var setEnable: HCIOpcode {
        switch self {
        case .legacy: .setEnable
        case .extended: .setExtendedEnable
        }
    }
}
