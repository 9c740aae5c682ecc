import Foundation
import Glibc

protocol LabChip: AnyObject {
    /// Receives the bytes of one written message.
    func write(_ bytes: [UInt8])

    /// Returns the bytes of one read message.
    func read(count: Int) -> [UInt8]

    var isPinHigh: Bool { get }
}

/// Simulates chips on the kernel's bus `/dev/i2c-1`.
///
/// The chips run in their own thread and drive the lab's GPIO lines.
///
/// Only one `LabBus` may exist at a time. While it exists, its chips answer in place of the kernel's simulated chips.
final class LabBus {
    static let device = "/dev/i2c-1"

    private let server: LabBusServer

    /// `interrupts` contains the number of the GPIO line that a chip's interrupt output drives, by the chip's address.
    init(_ chips: [UInt8: any LabChip], interrupts: [UInt8: Int] = [:]) throws {
        try Self.set("chip_addr", "0")
        try Self.failAll(false)
        try Self.fail(at: 0)
        try Self.wait(for: Self.patience)
        server = try LabBusServer(chips, interrupts: interrupts)
        server.start()
    }

    deinit {
        server.stop()
        try? Self.set("chip_addr", "0x19,0x53,0x68")
    }

    /// Changes the chips between two transfers, for example by shaking a chip; `body` must not make transfers.
    func touch<Result>(_ body: () throws -> Result) rethrows -> Result { try server.touch(body) }

    /// Unplugs all chips, or plugs them in again; while they are unplugged, no address answers.
    func isUnplugged(_ isUnplugged: Bool) throws { try server.serve(!isUnplugged) }

    /// Makes all chips keep the clock line low, or release the line; while the line is low, transfers time out.
    func isMute(_ isMute: Bool) throws {
        try Self.wait(for: isMute ? 100 : Self.patience)
        server.isMute(isMute)
    }

    /// Loses the answer of the n-th transfer from now; 0 cancels the loss.
    func loseAnswer(at transfer: Int) { server.loseAnswer(at: transfer) }

    /// The number of successful transfers since boot.
    static func transfers() throws -> Int { Int(try Lab.read(path("xfers"))) ?? 0 }

    /// Sets whether all transfers fail without an acknowledgement.
    static func failAll(_ doFail: Bool) throws { try set("fail", doFail ? "1" : "0") }

    /// Makes the n-th transfer from now fail without an acknowledgement; 0 cancels the failure.
    static func fail(at transfer: Int) throws { try set("fail_at", "\(transfer)") }

    /// Limits the adapter to SMBus calls, or removes the limit.
    static func isSMBusOnly(_ isOnly: Bool) throws {
        let (i2c, smbus) = (0x0000_0001, 0x0EFF_0008)
        try set("functionality", "\(isOnly ? smbus : smbus | i2c)")
    }

    /// The time that a transfer waits for its chip, in milliseconds.
    ///
    /// It is long because the host may pause the whole lab.
    private static let patience = 10_000

    private static func wait(for milliseconds: Int) throws { try set("timeout_ms", "\(milliseconds)") }

    private static func set(_ name: String, _ value: String) throws { try Lab.write(value, to: path(name)) }

    private static func path(_ name: String) -> String { "\(Lab.folder)/i2c/\(name)" }
}

/// The other end of `/dev/i2c-lab`; `Lab/i2c-lab.c` describes the protocol.
///
/// - Note: Sendable, because the code uses the chips and all mutable state only under `lock`.
private final class LabBusServer: @unchecked Sendable {
    private let device: Int32
    private var interrupts: [(chip: any LabChip, line: Int, isActive: Bool?)]
    private let stopping: (reader: Int32, writer: Int32)
    private let stopped = DispatchSemaphore(value: 0)
    private let lock = NSLock()
    private let chips: [UInt8: any LabChip]
    private var mute = false
    private var untilLoss = 0

    init(_ chips: [UInt8: any LabChip], interrupts: [UInt8: Int]) throws {
        self.chips = chips
        self.interrupts = interrupts.compactMap { address, line in chips[address].map { ($0, line, nil) } }
        device = open("/dev/i2c-lab", O_RDWR | O_CLOEXEC)
        guard device >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        stopping = (ends[0], ends[1])
        try serve(true)
    }

    func start() {
        touch {}
        Thread.detachNewThread { self.run() }
    }

    func stop() {
        close(stopping.writer)
        stopped.wait()
        close(stopping.reader)
        close(device)
    }

    func serve(_ doServe: Bool) throws {
        let words = [UInt8(ascii: "S")] + (doServe ? chips.keys.sorted() : [])
        guard Glibc.write(device, words, words.count) == words.count else {
            throw POSIXError(.init(rawValue: errno) ?? .EIO)
        }
    }

    func isMute(_ isMute: Bool) { lock.withLock { mute = isMute } }

    func loseAnswer(at transfer: Int) { lock.withLock { untilLoss = transfer } }

    func touch<Result>(_ body: () throws -> Result) rethrows -> Result {
        try lock.withLock {
            defer { driveInterrupts() }
            return try body()
        }
    }

    private func run() {
        var entries = [
            pollfd(fd: device, events: Int16(POLLIN), revents: 0),
            pollfd(fd: stopping.reader, events: Int16(POLLIN), revents: 0),
        ]
        var request = [UInt8](repeating: 0, count: 65_536)
        while poll(&entries, 2, -1) > 0 || errno == EINTR, entries[1].revents == 0 {
            let count = Glibc.read(device, &request, request.count)
            guard count > 0 else { continue }
            lock.withLock {
                let answer = answer(to: request[..<count], isLost: untilLoss == 1)
                untilLoss = max(0, untilLoss - 1)
                driveInterrupts()
                // The kernel drops an answer that comes too late.
                if !mute { _ = Glibc.write(device, answer, answer.count) }
            }
        }
        stopped.signal()
    }

    /// Passes all messages of one transfer to the chips.
    private func answer(to request: ArraySlice<UInt8>, isLost: Bool) -> [UInt8] {
        var answer = [UInt8(ascii: "A"), request[0], 0]
        let refusal = [UInt8(ascii: "A"), request[0], UInt8(EREMOTEIO)]
        var rest = request.dropFirst(2)
        for _ in 0..<request[1] {
            let head = Array(rest.prefix(4))
            let length = Int(head[2]) | Int(head[3]) << 8
            rest = rest.dropFirst(4)
            guard let chip = chips[head[0]] else { return refusal }
            if head[1] & 1 == 1 {
                answer += chip.read(count: length)
            } else {
                chip.write(Array(rest.prefix(length)))
                rest = rest.dropFirst(length)
            }
        }
        return isLost ? refusal : answer
    }

    private func driveInterrupts() {
        for index in interrupts.indices {
            let isActive = interrupts[index].chip.isPinHigh
            guard interrupts[index].isActive != isActive else { continue }
            interrupts[index].isActive = isActive
            try? LabLines.pull(interrupts[index].line, up: isActive)
        }
    }
}
