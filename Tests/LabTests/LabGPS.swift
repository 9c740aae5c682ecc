import Foundation
import Glibc
import Peers

/// A receiver that replays a recorded drive to a real gpsd through a pseudo terminal while it has power.
final class LabGPS {
    static let missing = Child.find("gpsd") == nil ? ["gpsd"] : []

    let port: UInt16
    /// The control socket of gpsd, for `gpsdctl` and the daemon.
    let control: String
    let device: String
    private let gpsd: Child
    private let scratch: Scratch
    private let feeder: Feeder

    /// Starts gpsd, and sends an epoch of the log with the present time once per `interval`.
    ///
    /// After the last epoch, the first epoch follows again. If `power` is not nil, the receiver sends only while this GPIO line
    /// is high.
    init(repeating log: URL, power: Int? = nil, interval: Duration = .seconds(1), port: UInt16 = freePort()) throws {
        guard let program = Child.find("gpsd") else { throw PeerMissing(name: "gpsd") }
        self.port = port
        scratch = try Scratch()
        control = scratch.path + "/gpsd.sock"
        feeder = try Feeder(epochs: RecordedSentences(log).epochs, power: power, interval: interval)
        device = feeder.device
        // With `-n`, gpsd reads the receiver from the start and does not wait for a client.
        gpsd = try Child(program, ["-N", "-n", "-b", "-S", "\(port)", "-F", control, device])
        guard eventually({ isListening(port) }) else { throw PeerMissing(name: "gpsd") }
        feeder.start()
    }

    deinit {
        gpsd.kill()
        feeder.stop()
    }

    var epochs: Int { feeder.said }

    /// Stops the vehicle at the present position of the drive, or continues the drive.
    func isStanding(_ isStanding: Bool) { feeder.isStanding(isStanding) }
}

/// Writes the epochs to a pseudo terminal.
///
/// - Note: Sendable, because the code uses all mutable state only under `lock`.
private final class Feeder: @unchecked Sendable {
    let device: String
    private let ours: Int32
    private let theirs: Int32
    private let epochs: [RecordedSentences.Epoch]
    private let power: Int?
    private let interval: Duration
    private let lock = NSLock()
    private let ended = DispatchSemaphore(value: 0)
    private var isEnding = false
    private var standing: RecordedSentences.Epoch?
    private var next = 0
    private var count = 0

    init(epochs: [RecordedSentences.Epoch], power: Int?, interval: Duration) throws {
        (self.epochs, self.power, self.interval) = (epochs, power, interval)
        ours = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        // TIOCSPTLCK and TIOCGPTN of asm/ioctls.h: the calls of unlockpt and ptsname, which Swift does not import.
        let (setLock, getNumber) = (UInt(0x4004_5431), UInt(0x8004_5430))
        var (lock, number) = (Int32(0), Int32(0))
        guard ioctl(ours, setLock, &lock) == 0, ioctl(ours, getNumber, &number) == 0 else {
            throw POSIXError(.init(rawValue: errno) ?? .EIO)
        }
        device = "/dev/pts/\(number)"
        // The feeder keeps the port open, because unread bytes would otherwise be lost whenever gpsd opens the port again.
        theirs = open(device, O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard theirs >= 0, chmod(device, 0o666) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        var settings = termios()
        tcgetattr(theirs, &settings)
        cfmakeraw(&settings)
        tcsetattr(theirs, TCSANOW, &settings)
        // A full buffer must not stop the feeder. While the buffer is full, the feeder drops new bytes.
        _ = fcntl(ours, F_SETFL, O_NONBLOCK)
    }

    var said: Int { lock.withLock { count } }

    func isStanding(_ isStanding: Bool) {
        lock.withLock { standing = isStanding ? epochs[next].standing : nil }
    }

    func start() { Thread.detachNewThread { self.run() } }

    func stop() {
        lock.withLock { isEnding = true }
        ended.wait()
        close(theirs)
        close(ours)
    }

    private func run() {
        let pause_us = interval / .microseconds(1)
        while !lock.withLock({ isEnding }) {
            if power.map({ (try? LabLines.isHigh($0)) ?? false }) ?? true { say() }
            usleep(UInt32(pause_us))
        }
        ended.signal()
    }

    private func say() {
        let epoch = lock.withLock {
            defer { count += 1 }
            if let standing { return standing }
            defer { next = (next + 1) % epochs.count }
            return epochs[next]
        }
        let text = Array(epoch.sentences(at: Date()).utf8)
        _ = write(ours, text, text.count)
    }
}
