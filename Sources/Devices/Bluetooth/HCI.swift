package import Tracking

/// A command to a Bluetooth controller (Bluetooth Core Specification, volume 4, part E, chapter 7.8).
package enum HCICommand: Sendable, Hashable {
    case readFeatures
    case setParameters(ScanKind, ScanTiming)
    case setEnable(ScanKind, isOn: Bool)

    package var opcode: HCIOpcode {
        switch self {
        case .readFeatures: .readFeatures
        case .setParameters(let kind, _): kind.setParameters
        case .setEnable(let kind, _): kind.setEnable
        }
    }

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
    /// A passive scan sends no requests, so the adapter does not transmit its own address.
    private static let passive: UInt8 = 0x00
    private static let publicAddress: UInt8 = 0x00
    private static let acceptAll: UInt8 = 0x00
    /// Advertising starts on LE 1M or LE Coded, and no iBeacon uses LE Coded.
    private static let oneMegabit: UInt8 = 0x01
    /// Duplicates are reported, because each has a signal strength and shows that the beacon is still there.
    private static let keepDuplicates: UInt8 = 0x00
    private static let endless: UInt16 = 0

    private static func bytes(_ number: UInt16) -> [UInt8] { [UInt8(number & 0xFF), UInt8(number >> 8)] }
}

/// An event packet (Bluetooth Core Specification, volume 4, part E, chapter 7.7). A part of it comes over the air: any bytes
/// result in an event or in nil.
package enum HCIEvent: Sendable, Hashable {
    /// `parameters` are the bytes after the status.
    case completed(HCIOpcode, status: UInt8, parameters: ArraySlice<UInt8>)
    case begun(HCIOpcode)
    case advertising([AdvertisingReport])
    case other

    /// Nil if the packet is not an event, is not as long as declared, or is too short for its kind.
    package init?(packet: [UInt8]) {
        guard packet.count >= 3, packet[0] == Self.eventPacket, Int(packet[2]) == packet.count - 3 else { return nil }
        let parameters = packet[3...]
        switch packet[1] {
        case Self.commandComplete: self.init(complete: parameters)
        case Self.commandStatus: self.init(status: parameters)
        case Self.lowEnergy: self = AdvertisingReport.reports(in: parameters).map(Self.advertising) ?? .other
        default: self = .other
        }
    }

    /// The parameters are the number of commands that may follow (1 byte), the command (2 bytes), and the return values,
    /// of which the status is the first.
    private init?(complete parameters: ArraySlice<UInt8>) {
        let bytes = parameters.dropFirst()
        guard let opcode = HCIOpcode(littleEndian: bytes) else { return nil }
        guard let status = bytes.dropFirst(2).first else {
            // Only opcode 0 has no return values; this opcode means that the event belongs to no command.
            self = .other
            return
        }
        self = .completed(opcode, status: status, parameters: bytes.dropFirst(3))
    }

    /// The parameters are the status, the number of commands that may follow, and the command (2 bytes).
    private init?(status parameters: ArraySlice<UInt8>) {
        guard let status = parameters.first, let opcode = HCIOpcode(littleEndian: parameters.dropFirst(2)) else {
            return nil
        }
        self = status == 0 ? .begun(opcode) : .completed(opcode, status: status, parameters: [])
    }

    private static let eventPacket: UInt8 = 0x04
    private static let commandComplete: UInt8 = 0x0E
    private static let commandStatus: UInt8 = 0x0F
    private static let lowEnergy: UInt8 = 0x3E
}

/// The upper six bits are the group, the others the number in the group.
package struct HCIOpcode: RawRepresentable, Sendable, Hashable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package init?(littleEndian bytes: ArraySlice<UInt8>) {
        guard let low = bytes.first, let high = bytes.dropFirst().first else { return nil }
        rawValue = UInt16(high) << 8 | UInt16(low)
    }

    /// The kernel sends this command when a program switches the adapter on or off.
    package static let reset = HCIOpcode(rawValue: 0x0C03)
    package static let readFeatures = HCIOpcode(rawValue: 0x2003)
    package static let setParameters = HCIOpcode(rawValue: 0x200B)
    package static let setEnable = HCIOpcode(rawValue: 0x200C)
    package static let setExtendedParameters = HCIOpcode(rawValue: 0x2041)
    package static let setExtendedEnable = HCIOpcode(rawValue: 0x2042)
}

package enum ScanKind: Sendable, Hashable {
    case legacy
    /// The commands of Bluetooth 5.0. Once one of the two sets was used, the controller refuses the other until it is
    /// reset.
    case extended

    package var setParameters: HCIOpcode { self == .legacy ? .setParameters : .setExtendedParameters }
    package var setEnable: HCIOpcode { self == .legacy ? .setEnable : .setExtendedEnable }
}

/// In units of 0.625 ms.
package struct ScanTiming: Sendable, Hashable {
    package let interval: UInt16
    /// How long the controller listens in each interval.
    package let window: UInt16

    package init?(_ duty: ScanDuty) {
        guard let interval = duty.interval, let window = duty.window else { return nil }
        self.interval = Self.units(interval)
        self.window = Self.units(window)
    }

    /// The range of legacy scanning: 2.5 ms to 10.24 s.
    private static let range = 0x0004...0x4000
    private static let unit = Duration.microseconds(625)

    private static func units(_ span: Duration) -> UInt16 {
        UInt16(min(max(Int((span / unit).rounded()), range.lowerBound), range.upperBound))
    }
}
