/// Why a Bluetooth adapter does not listen, or not as it was told to.
package enum AdapterTrouble: Error, Sendable, Hashable {
    /// There is none of that name.
    case absent
    /// rfkill has switched it off.
    case blocked
    /// The program lacks a capability.
    case notPermitted
    /// Another program has it for itself.
    case taken
    /// It knows only the older kind of Bluetooth.
    case noLowEnergy
    /// Somebody has switched it off.
    case down
    /// It was pulled out.
    case unplugged
    /// It does not answer.
    case silent
    /// Another program scans, and the controller takes no settings meanwhile.
    case shared
    /// It refuses a command, with this status of the Core Specification.
    case refused(status: UInt8)
    /// The system refuses, in its own words.
    case failed(reason: String)

    /// Whether what it was doing may go on: to be switched on again, it is reset.
    package var mayLeaveOn: Bool {
        switch self {
        case .absent, .blocked, .down, .unplugged: false
        case .notPermitted, .taken, .noLowEnergy, .silent, .shared, .refused, .failed: true
        }
    }

    /// What happened to the adapter of this name, and what the user can do.
    package func text(adapter: String) -> String {
        switch self {
        case .absent:
            "\(adapter): there is no such Bluetooth adapter. See which ones there are with `bluetoothctl list`."
        case .blocked:
            "\(adapter): switched off by rfkill. Switch it on with `rfkill unblock bluetooth`."
        case .notPermitted:
            "\(adapter): CAP_NET_RAW and CAP_NET_ADMIN are needed to scan. "
                + "Start trackerd by its systemd unit, or use `setcap`."
        case .taken:
            "\(adapter): another program has the adapter for itself. End that program."
        case .noLowEnergy:
            "\(adapter): an adapter without Bluetooth Low Energy, which hears no beacons. "
                + "Use one of Bluetooth 4.0 or later."
        case .down:
            "\(adapter): was switched off, and is switched on again. "
                + "If it keeps going off, see `journalctl -u bluetooth`."
        case .unplugged:
            "\(adapter): was unplugged, or reset itself. Beacons are heard again when it is back."
        case .silent:
            "\(adapter): does not answer. If it stays so, unplug it or restart the computer; `dmesg` may tell more."
        case .shared:
            "\(adapter): another program scans too; beacons are heard as its settings allow. "
                + "End its scan, such as with `bluetoothctl scan off`."
        case .refused(let status):
            "\(adapter): refuses to scan for beacons (HCI status \(status)). Try another adapter."
        case .failed(let reason):
            "\(adapter): cannot be used (\(reason)). See `dmesg`."
        }
    }
}
