import CBlueZ
package import Hardware

/// Examines an adapter without switching it on or off.
package struct HCIProbe: AdapterProbe {
    private static let adapters = "/sys/class/bluetooth"
    /// A scan needs this capability, whose number is that of linux/capability.h. Another unit switches the adapter on,
    /// so the daemon needs no other capability.
    private static let capabilities = [("CAP_NET_RAW", 13)]

    package init() {}

    package func adapter(_ number: Int) -> AdapterFacts {
        let outcome = cbluez_examine(Int32(clamping: number))
        if outcome == CBLUEZ_ABSENT || outcome == CBLUEZ_GONE {
            return .absent(others: Pseudofile.numbers(after: "hci", in: Self.adapters).filter { $0 != number })
        }
        if let isHard = block(of: number) { return .blocked(isHard: isHard) }
        let missing = missingCapabilities
        guard missing.isEmpty else { return .forbidden(capabilities: missing) }
        switch outcome {
        case CBLUEZ_DONE: return .ready
        case CBLUEZ_TAKEN: return .taken
        case CBLUEZ_DOWN: return .down
        case CBLUEZ_NO_LOW_ENERGY: return .noLowEnergy
        default: return .failing
        }
    }

    /// Returns true for a block by a hardware switch, false for one by software, and nil if the adapter is not blocked.
    private func block(of number: Int) -> Bool? {
        let folder = "\(Self.adapters)/hci\(number)"
        let switches = Pseudofile.names(in: folder).filter { $0.hasPrefix("rfkill") }.map { "\(folder)/\($0)" }
        if switches.contains(where: { Pseudofile.text(of: "\($0)/hard") == "1" }) { return true }
        return switches.contains { Pseudofile.text(of: "\($0)/soft") == "1" } ? false : nil
    }

    private var missingCapabilities: [String] {
        let line = Pseudofile.text(of: "/proc/self/status").split(separator: "\n").first { $0.hasPrefix("CapEff:") }
        let mask = line?.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) } ?? 0
        return Self.capabilities.filter { mask >> $0.1 & 1 == 0 }.map(\.0)
    }
}
