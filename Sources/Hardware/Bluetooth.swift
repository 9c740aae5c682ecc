/// The adapter may be absent.
package protocol BluetoothAdapter: AnyObject {
    /// Such as `hci0`.
    var name: String { get }

    /// Does not wait; `isOpen` of the link reports the result.
    func open() -> any AdapterLink
}

/// A connection to an adapter, for HCI packets. No call blocks, and `deinit` closes the adapter.
package protocol AdapterLink: AnyObject {
    var interest: Wait.Interest? { get }

    func isOpen() throws(AdapterError) -> Bool

    /// The first byte is the packet's type.
    func send(_ packet: [UInt8]) throws(AdapterError)

    /// The first byte is the packet's type; nil if no packet has arrived.
    func receive() throws(AdapterError) -> [UInt8]?
}

package enum AdapterError: Error, Sendable, Hashable {
    case absent
    case blocked
    case notPermitted
    case off
    case taken
    case noLowEnergy
    /// A person or a program has switched off the adapter.
    case down
    case unplugged
    case silent
    /// Another program scans, and the controller accepts no settings until that scan ends.
    case shared
    /// `status` is the controller's answer to a command (Core Specification, volume 1, part F).
    case refused(status: UInt8)
    case failed(reason: String)

    /// True if a scan may still be running after this error. An adapter that is off or gone runs none, and is reset
    /// when it is switched on.
    package var mayLeaveOn: Bool {
        switch self {
        case .absent, .blocked, .off, .down, .unplugged: false
        case .notPermitted, .taken, .noLowEnergy, .silent, .shared, .refused, .failed: true
        }
    }
}

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
