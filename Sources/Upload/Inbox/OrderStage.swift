internal import JSON
internal import Quantities

/// The vehicles of a fleet for which an order is meant: a list of devices, or a share of all devices.
///
/// The order's ID and the device's name determine a number from 0 to less than 1 for each device. The order is meant for the
/// device if this number is below the share. If a server raises the share of an order, the order therefore remains valid for
/// the vehicles that have it already.
struct OrderStage: Sendable, Hashable {
    private let devices: Set<String>?
    private let share: Double?

    /// Reads `{"devices":["van1"]}` or `{"share":0.1}`; nil for another value.
    init?(_ value: JSONValue) {
        guard let members = value.members, members.count == 1 else { return nil }
        if case .list(let list)? = members["devices"] {
            devices = Set(list.map(\.plainText))
            share = nil
        } else {
            switch members["share"] {
            case .integer(let whole): share = Double(whole)
            case .number(let number): share = number
            case .null, .flag, .text, .list, .object, nil: return nil
            }
            devices = nil
            guard let share, (0...1).contains(share) else { return nil }
        }
    }

    func includes(_ device: String, order: String) -> Bool {
        if let devices { return devices.contains(device) }
        guard let share else { return false }
        return Self.position(of: "\(order)/\(device)") < share
    }

    /// Returns a number from 0 to less than 1; the numbers of different texts are spread evenly.
    ///
    /// The function computes the FNV-1a hash with 64 bits (Fowler, Noll and Vo), and then mixes its bits as MurmurHash3
    /// does. Without this mixing, the first bits hardly differ for similar texts.
    private static func position(of text: String) -> Double {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        hash = (hash ^ (hash >> 33)) &* 0xff51_afd7_ed55_8ccd
        hash = (hash ^ (hash >> 33)) &* 0xc4ce_b9fe_1a85_ec53
        hash ^= hash >> 33
        return Double(hash >> 11) * 0x1p-53
    }
}
