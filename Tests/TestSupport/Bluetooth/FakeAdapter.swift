package import Hardware

/// A test can make the program's attempts to open the adapter fail, and can switch the adapter off, unplug it or flood it with
/// packets.
package final class FakeAdapter: BluetoothAdapter {
    package let name = "hci0"
    /// The reason why the program cannot open the adapter; nil if it can.
    package var obstacle: AdapterError?
    /// Whether the adapter leaves commands unanswered.
    package var isMute = false
    package var controller = FakeController()
    package private(set) var attempts = 0
    package private(set) var commands: [[UInt8]] = []

    private weak var link: FakeLink?

    package init() {}

    package func open() -> any AdapterLink {
        attempts += 1
        let link = FakeLink(self, obstacle: obstacle)
        self.link = link
        return link
    }

    package var isOpen: Bool { link != nil }

    package var isReadable: Bool { link.map { !$0.packets.isEmpty || $0.end != nil } ?? false }

    /// Simulates an advertisement over the air; the controller reports it only during a scan.
    package func hear(_ data: [UInt8], rssi: Int8) {
        if let packet = controller.report(data, rssi: rssi) { deliver(packet) }
    }

    /// Delivers a packet if the adapter is open; packets beyond the buffer are lost, as in a socket.
    package func deliver(_ packet: [UInt8]) {
        guard let link, link.packets.count < Self.mostPackets else { return }
        link.packets.append(packet)
    }

    /// Sends a command as another program would; the controller's answer reaches all programs.
    package func other(_ command: [UInt8]) { deliver(controller.answer(command)) }

    /// Makes the open link and all later ones fail with this error, and resets the controller.
    ///
    /// After `unplugged`, the later links fail with `absent`.
    package func end(_ trouble: AdapterError) {
        obstacle = trouble == .unplugged ? .absent : trouble
        controller = FakeController()
        link?.end = trouble
    }

    fileprivate func take(_ command: [UInt8]) {
        commands.append(command)
        if !isMute { deliver(controller.answer(command)) }
    }

    private static let mostPackets = 10_000
}

private final class FakeLink: AdapterLink {
    let adapter: FakeAdapter
    let obstacle: AdapterError?
    var packets: [[UInt8]] = []
    var end: AdapterError?

    init(_ adapter: FakeAdapter, obstacle: AdapterError?) {
        self.adapter = adapter
        self.obstacle = obstacle
    }

    /// Always nil, because the link has no descriptor; the test polls `isReadable`.
    var interest: Wait.Interest? { nil }

    func isOpen() throws(AdapterError) -> Bool {
        if let obstacle { throw obstacle }
        return true
    }

    func send(_ packet: [UInt8]) throws(AdapterError) {
        if let end { throw end }
        adapter.take(packet)
    }

    func receive() throws(AdapterError) -> [UInt8]? {
        if let end { throw end }
        return packets.isEmpty ? nil : packets.removeFirst()
    }
}
