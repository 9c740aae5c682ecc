package import Tracking

/// A command to a Bluetooth controller (Bluetooth Core Specification, volume 4, part E, chapter 7.8).
package enum HCICommand: Sendable, Hashable {
    /// Read the controller's features.
    case readFeatures
    case setParameters(ScanKind, ScanTiming)
    /// Start or stop scanning.
    case setEnable(ScanKind, isOn: Bool)

    /// The command's number.
    package var opcode: HCIOpcode {
        switch self {
        case .readFeatures: .readFeatures
        case .setParameters(let kind, _): kind.setParameters
        case .setEnable(let kind, _): kind.setEnable
        }
    }

    /// The whole packet, starting with its type.
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
    /// The scan is passive and sends no requests, so the adapter does not transmit its own address.
    private static let passive: UInt8 = 0x00
    private static let publicAddress: UInt8 = 0x00
    private static let acceptAll: UInt8 = 0x00
    /// The set of PHYs, which contains only LE 1M.
    ///
    /// All advertising starts on LE 1M, except advertising on LE Coded. No iBeacon uses LE Coded.
    private static let oneMegabit: UInt8 = 0x01
    /// The controller must not filter duplicates, because each duplicate reports the signal strength and shows that the
    /// beacon is still present.
    private static let keepDuplicates: UInt8 = 0x00
    private static let endless: UInt16 = 0

    private static func bytes(_ number: UInt16) -> [UInt8] { [UInt8(number & 0xFF), UInt8(number >> 8)] }
}

/// An event from a Bluetooth controller, decoded from an HCI event packet (Bluetooth Core Specification, volume 4, part E,
/// chapter 7.7).
///
/// A part of the packet comes over the air, so the decoder must not trust it. Any bytes result in an event or in nil.
package enum HCIEvent: Sendable, Hashable {
    /// A command has ended; `parameters` are the bytes after its status.
    case completed(HCIOpcode, status: UInt8, parameters: ArraySlice<UInt8>)
    /// A command has started; a later event reports its end.
    case begun(HCIOpcode)
    /// Advertisements from one or more advertisers.
    case advertising([AdvertisingReport])
    case other

    /// Decodes a packet, whose first byte is its type.
    ///
    /// Returns nil if the packet is not an event, if its length is not the declared length, or if the event is too
    /// short for its kind.
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

    /// Fields: one byte for the number of commands that may follow, two bytes for the command, and the return values, of which the
    /// first is the status.
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

    /// Fields: the status, one byte for the number of commands that may follow, and two bytes for the command.
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

/// The number of an HCI command: the upper six bits are its group, and the other bits are its number in the group.
package struct HCIOpcode: RawRepresentable, Sendable, Hashable {
    /// The number.
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Reads the first two bytes; nil if there are fewer than two.
    package init?(littleEndian bytes: ArraySlice<UInt8>) {
        guard let low = bytes.first, let high = bytes.dropFirst().first else { return nil }
        rawValue = UInt16(high) << 8 | UInt16(low)
    }

    /// Reset; the kernel sends this command when a program switches the adapter on or off.
    package static let reset = HCIOpcode(rawValue: 0x0C03)
    /// LE Read Local Supported Features.
    package static let readFeatures = HCIOpcode(rawValue: 0x2003)
    /// LE Set Scan Parameters.
    package static let setParameters = HCIOpcode(rawValue: 0x200B)
    /// LE Set Scan Enable.
    package static let setEnable = HCIOpcode(rawValue: 0x200C)
    /// LE Set Extended Scan Parameters.
    package static let setExtendedParameters = HCIOpcode(rawValue: 0x2041)
    /// LE Set Extended Scan Enable.
    package static let setExtendedEnable = HCIOpcode(rawValue: 0x2042)
}

/// One of the two sets of commands with which a program can scan.
package enum ScanKind: Sendable, Hashable {
    /// The commands of Bluetooth 4.0.
    case legacy
    /// The commands of Bluetooth 5.0.
    ///
    /// After a program has used one of the two sets, the controller refuses the other set.
    case extended

    package var setParameters: HCIOpcode {
        switch self {
        case .legacy: .setParameters
        case .extended: .setExtendedParameters
        }
    }

    /// The command that starts and stops the scan.
    package var setEnable: HCIOpcode {
        switch self {
        case .legacy: .setEnable
        case .extended: .setExtendedEnable
        }
    }
}

/// The times at which a controller listens, in units of 0.625 ms.
package struct ScanTiming: Sendable, Hashable {
    /// The time from the start of one window to the start of the next.
    package let interval: UInt16
    /// The time for which the controller listens in each interval.
    package let window: UInt16

    /// Makes the timing for a duty; nil if the duty is off.
    package init?(_ duty: ScanDuty) {
        guard let interval = duty.interval, let window = duty.window else { return nil }
        self.interval = Self.units(interval)
        self.window = Self.units(window)
    }

    /// The range of legacy scanning, which is 2.5 ms to 10.24 s.
    private static let range = 0x0004...0x4000
    private static let unit = Duration.microseconds(625)

    private static func units(_ span: Duration) -> UInt16 {
        UInt16(min(max(Int((span / unit).rounded()), range.lowerBound), range.upperBound))
    }
}
