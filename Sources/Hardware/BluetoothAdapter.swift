/// A Bluetooth adapter, there or not, that can be opened.
package protocol BluetoothAdapter: AnyObject {
    /// What messages call it, such as `hci0`.
    var name: String { get }

    /// Begins to switch it on and to open it; the link tells whether that works.
    func open() -> any AdapterLink
}

/// One opening of a Bluetooth adapter, through which HCI packets go; closed when it is let go of.
///
/// No call waits.
package protocol AdapterLink: AnyObject {
    /// What to wait for until something can be done.
    var interest: Wait.Interest? { get }

    /// Whether it is open; before that nothing can be sent or received.
    func isOpen() throws(AdapterTrouble) -> Bool

    /// Sends one command packet, beginning with its type.
    func send(_ packet: [UInt8]) throws(AdapterTrouble)

    /// The next event packet, beginning with its type; nothing when none has come.
    func receive() throws(AdapterTrouble) -> [UInt8]?
}
