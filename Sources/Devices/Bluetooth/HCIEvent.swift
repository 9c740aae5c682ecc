/// What a Bluetooth controller tells, out of one HCI event packet (Bluetooth Core Specification, volume 4, part E,
/// chapter 7.7).
///
/// Part of it comes over the air, and all of it counts as if it did: whatever the bytes are, they become an event or
/// nothing.
package enum HCIEvent: Sendable, Hashable {
    /// A command is done, or refused; the parameters are those that follow its status.
    case completed(HCIOpcode, status: UInt8, parameters: ArraySlice<UInt8>)
    /// A command has been begun, and its end will be told.
    case begun(HCIOpcode)
    /// What was heard from one advertiser or several.
    case advertising([AdvertisingReport])
    /// Something else.
    case other

    /// Reads a packet that begins with its type; nothing when it is no event, or not as long as it says.
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

    /// One byte for how many commands may follow, two for the command, and what it returns, its status first.
    private init?(complete parameters: ArraySlice<UInt8>) {
        let bytes = parameters.dropFirst()
        guard let opcode = HCIOpcode(littleEndian: bytes) else { return nil }
        guard let status = bytes.dropFirst(2).first else {
            // Only the opcode 0, which stands for no command, returns nothing.
            self = .other
            return
        }
        self = .completed(opcode, status: status, parameters: bytes.dropFirst(3))
    }

    /// The status, one byte for how many commands may follow, and two for the command.
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
