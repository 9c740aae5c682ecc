/// A command to a Bluetooth controller (Bluetooth Core Specification, volume 4, part E, chapter 7.8).
package enum HCICommand: Sendable, Hashable {
    /// What the controller is able to do.
    case readFeatures
    /// How to scan.
    case setParameters(ScanKind, ScanTiming)
    /// Scan from now on, or no longer.
    case setEnable(ScanKind, isOn: Bool)

    /// Which command it is.
    package var opcode: HCIOpcode {
        switch self {
        case .readFeatures: .readFeatures
        case .setParameters(let kind, _): kind.setParameters
        case .setEnable(let kind, _): kind.setEnable
        }
    }

    /// The whole packet, beginning with its type.
    package var packet: [UInt8] {
        let parameters = parameters
        let opcode = opcode.rawValue
        return [Self.commandPacket] + Self.bytes(opcode) + [UInt8(parameters.count)] + parameters
    }

    private var parameters: [UInt8] {
        switch self {
        case .readFeatures: []
        case .setParameters(.legacy, let timing):
            [Self.passive] + Self.bytes(timing.interval) + Self.bytes(timing.window)
                + [Self.publicAddress, Self.acceptAll]
        case .setParameters(.extended, let timing):
            [Self.publicAddress, Self.acceptAll, Self.oneMegabit, Self.passive] + Self.bytes(timing.interval)
                + Self.bytes(timing.window)
        case .setEnable(.legacy, let isOn): [isOn ? 1 : 0, Self.keepDuplicates]
        case .setEnable(.extended, let isOn):
            [isOn ? 1 : 0, Self.keepDuplicates] + Self.bytes(Self.endless) + Self.bytes(Self.endless)
        }
    }

    private static let commandPacket: UInt8 = 0x01
    /// Listens without ever asking a beacon for more, so that its own address, of whatever kind, is never sent.
    private static let passive: UInt8 = 0x00
    private static let publicAddress: UInt8 = 0x00
    private static let acceptAll: UInt8 = 0x00
    /// The set of radio kinds with LE 1M alone: advertising begins on it but for Coded, which no iBeacon uses.
    private static let oneMegabit: UInt8 = 0x01
    /// The strength of each frame counts, and that a beacon is still there.
    private static let keepDuplicates: UInt8 = 0x00
    private static let endless: UInt16 = 0

    private static func bytes(_ number: UInt16) -> [UInt8] { [UInt8(number & 0xFF), UInt8(number >> 8)] }
}
