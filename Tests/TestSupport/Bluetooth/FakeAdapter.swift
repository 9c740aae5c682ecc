package import Hardware

/// A Bluetooth adapter that does not exist, with a controller that can be refused, switched off, pulled out and
/// flooded.
package final class FakeAdapter: BluetoothAdapter {
    /// What messages call it.
    package let name = "hci0"
    /// Why it cannot be opened; nothing when it can.
    package var obstacle: AdapterTrouble?
    /// Whether it leaves commands without an answer.
    package var isMute = false
    /// What is inside.
    package var controller = FakeController()
    /// How often somebody tried to open it.
    package private(set) var attempts = 0
    /// The commands that came, in order.
    package private(set) var commands: [[UInt8]] = []

    private weak var link: FakeLink?

    /// Makes one that is plugged in.
    package init() {}

    package func open() -> any AdapterLink {
        attempts += 1
        let link = FakeLink(self, obstacle: obstacle)
        self.link = link
        return link
    }

    /// Whether somebody has it open.
    package var isOpen: Bool { link != nil }

    /// Whether there is something to read, also bad news.
    package var isReadable: Bool { link.map { !$0.packets.isEmpty || $0.end != nil } ?? false }

    /// Sends something on the air.
    package func hear(_ data: [UInt8], rssi: Int8) {
        if let packet = controller.report(data, rssi: rssi) { deliver(packet) }
    }

    /// Hands any bytes to whoever has it open; what is too much is lost, as in a socket.
    package func deliver(_ packet: [UInt8]) {
        guard let link, link.packets.count < Self.mostPackets else { return }
        link.packets.append(packet)
    }

    /// Another program sends a command; everybody gets the answer.
    package func other(_ command: [UInt8]) { deliver(controller.answer(command)) }

    /// Ends what there is, for that reason, which also stands in the way of opening it.
    package func end(_ trouble: AdapterTrouble) {
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

/// One opening of it.
private final class FakeLink: AdapterLink {
    let adapter: FakeAdapter
    let obstacle: AdapterTrouble?
    var packets: [[UInt8]] = []
    var end: AdapterTrouble?

    init(_ adapter: FakeAdapter, obstacle: AdapterTrouble?) {
        self.adapter = adapter
        self.obstacle = obstacle
    }

    /// There is no descriptor: the test asks `isReadable`.
    var interest: Wait.Interest? { nil }

    func isOpen() throws(AdapterTrouble) -> Bool {
        if let obstacle { throw obstacle }
        return true
    }

    func send(_ packet: [UInt8]) throws(AdapterTrouble) {
        if let end { throw end }
        adapter.take(packet)
    }

    func receive() throws(AdapterTrouble) -> [UInt8]? {
        if let end { throw end }
        return packets.isEmpty ? nil : packets.removeFirst()
    }
}
