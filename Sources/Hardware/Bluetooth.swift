/// A Bluetooth adapter that the program can try to open; the adapter need not exist.
package protocol BluetoothAdapter: AnyObject {
    /// The adapter's name in messages, such as `hci0`.
    var name: String { get }

    /// Starts to switch on and open the adapter; the returned link reports the result.
    func open() -> any AdapterLink
}

/// A link to a Bluetooth adapter, which sends and receives HCI packets once it is open; the `deinit` closes the link.
///
/// No call blocks.
package protocol AdapterLink: AnyObject {
    /// The descriptor to wait for; nil if the link has none.
    var interest: Wait.Interest? { get }

    /// Returns whether the adapter is open; the program can send and receive packets only then.
    func isOpen() throws(AdapterError) -> Bool

    /// Sends one command packet, whose first byte is its type.
    func send(_ packet: [UInt8]) throws(AdapterError)

    /// Receives the next event packet, whose first byte is its type; nil if no packet has arrived.
    func receive() throws(AdapterError) -> [UInt8]?
}

/// A Bluetooth adapter does not scan, or scans with limits; `ScannerError` adds the name of the adapter.
package enum AdapterError: Error, Sendable, Hashable {
    /// The adapter does not exist.
    case absent
    /// rfkill has switched the adapter off.
    case blocked
    /// The program lacks the capability to scan.
    case notPermitted
    /// The adapter is off, and the program lacks the capability to switch it on.
    case off
    /// Another program uses the adapter exclusively.
    case taken
    /// The adapter supports only Bluetooth Classic.
    case noLowEnergy
    /// A person or a program has switched off the adapter.
    case down
    case unplugged
    /// The adapter does not answer.
    case silent
    /// Another program scans, and the controller accepts no settings until that scan ends.
    case shared
    /// The controller refused a command with this status, which the Core Specification defines.
    case refused(status: UInt8)
    /// The system refused an operation and reported this reason.
    case failed(reason: String)

    /// Whether the adapter may still be scanning.
    ///
    /// If somebody switched the adapter off, it does not scan, and switching it on again resets it.
    package var mayLeaveOn: Bool {
        switch self {
        case .absent, .blocked, .off, .down, .unplugged: false
        case .notPermitted, .taken, .noLowEnergy, .silent, .shared, .refused, .failed: true
        }
    }
}

/// The scan for beacons does not work, or works with limits.
package struct ScannerError: Fault {
    /// The adapter's name, such as `hci0`.
    package let subject: String
    package let error: AdapterError

    package init(adapter: String, _ error: AdapterError) {
        subject = adapter
        self.error = error
    }

    package var severity: FaultSeverity { error == .shared ? .degraded : .outOfService }

    package var cause: String {
        switch error {
        case .absent: "there is no such Bluetooth adapter"
        case .blocked: "the Bluetooth adapter is switched off by rfkill"
        case .notPermitted: "scanning needs CAP_NET_RAW"
        case .off: "the Bluetooth adapter is off, and trackerd has no permission to switch it on"
        case .taken: "another program uses the Bluetooth adapter exclusively"
        case .noLowEnergy: "the adapter has no Bluetooth Low Energy and cannot receive beacons"
        case .down: "the Bluetooth adapter was switched off"
        case .unplugged: "the Bluetooth adapter was unplugged, or reset itself; scanning resumes when it is back"
        case .silent: "the Bluetooth adapter does not answer"
        case .shared: "another program scans too; its settings decide how often beacons are received"
        case .refused(let status): "the Bluetooth adapter refuses to scan for beacons (HCI status \(status))"
        case .failed(let reason): "the Bluetooth adapter cannot be used (\(reason))"
        }
    }

    package var remedy: String? {
        switch error {
        case .absent: "Run `bluetoothctl list` to see which adapters exist."
        case .blocked: "Switch it on with `sudo rfkill unblock bluetooth`."
        case .notPermitted: "Install the drop-in `bluetooth.conf`, which grants it to the daemon (docs/install.md)."
        case .off: "Switch it on with `sudo systemctl start trackerd-bluetooth@\(subject)`."
        case .taken: "End that program."
        case .noLowEnergy: "Use an adapter of Bluetooth 4.0 or later."
        case .down:
            "Switch it on with `sudo systemctl start trackerd-bluetooth@\(subject)`. If it keeps going off, see `journalctl -u bluetooth`."
        case .unplugged: nil
        case .silent: "If this lasts, unplug it or restart the computer; `sudo dmesg` may show why."
        case .shared: "End that scan; in `bluetoothctl`, type `scan off`."
        case .refused: "Try another adapter."
        case .failed: "See `sudo dmesg`."
        }
    }
}
