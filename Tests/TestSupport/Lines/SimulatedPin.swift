import Glibc
import Hardware
import Quantities

/// A wire and the parts that are connected to it.
final class SimulatedPin {
    let name: String
    var consumer: String?
    /// The level that the program drives, or nil if the program does not drive the wire.
    private var drive: Bool?
    /// The level to which connected devices pull the wire.
    private var pull = false
    private var isListening = false
    private var unread: [(isHigh: Bool, moment: Instant)] = []
    /// A pipe that is readable while edges are unread, like the kernel's descriptor.
    private let bell: (read: Int32, write: Int32)

    init(name: String) {
        self.name = name
        var ends: [Int32] = [-1, -1]
        _ = pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        bell = (ends[0], ends[1])
    }

    deinit {
        close(bell.read)
        close(bell.write)
    }

    var isHigh: Bool { drive ?? pull }
    var isDriven: Bool { drive != nil }
    var descriptor: Int32 { bell.read }

    func pull(isHigh: Bool, at now: Instant) { change(at: now) { pull = isHigh } }

    /// Drives the wire, or lets the wire float if `isHigh` is nil.
    func drive(isHigh: Bool?, at now: Instant) { change(at: now) { drive = isHigh } }

    /// Starts to collect edges.
    ///
    /// The bias `pullUp` pulls the wire up, even if a device has pulled the wire down; the other biases have no effect.
    func listen(bias: LineReference.Bias) {
        if bias == .pullUp { pull = true }
        isListening = true
    }

    func release() {
        consumer = nil
        drive = nil
        isListening = false
        _ = takeEdges()
    }

    func takeEdges() -> [(isHigh: Bool, moment: Instant)] {
        var byte: UInt8 = 0
        while read(bell.read, &byte, 1) > 0 {}
        defer { unread = [] }
        return unread
    }

    private func change(at now: Instant, _ body: () -> Void) {
        let before = isHigh
        body()
        guard isListening, isHigh != before else { return }
        unread.append((isHigh, now))
        var byte: UInt8 = 0
        _ = write(bell.write, &byte, 1)
    }
}
