import Devices
import Foundation
import Glibc
import Hardware
import Peers
import Quantities
import Testing

@Suite("A real gpsd's control socket", .enabled(if: Child.find("gpsd") != nil, "gpsd is not installed"))
struct RealGpsdControlTests {
    @Test("gpsd adds and removes a device, and refuses to do so twice.")
    func addAndRemove() throws {
        let bench = try GpsdControlBench()
        #expect(bench.answer(to: .add(device: bench.device)) == .refused)
        #expect(bench.answer(to: .remove(device: bench.device)) == .ok)
        #expect(bench.answer(to: .remove(device: bench.device)) == .refused)
        #expect(bench.answer(to: .add(device: bench.device)) == .ok)
    }

    @Test("gpsd passes a message on to the receiver.")
    func send() throws {
        let bench = try GpsdControlBench()
        #expect(bench.answer(to: .send(hexadecimal: UBXMessage.standby.hexadecimal, device: bench.device)) == .ok)
        #expect(bench.hears(UBXMessage.standby.bytes))
    }

    @Test("gpsd refuses a message for a device that gpsd only reads, or does not have.", arguments: [true, false])
    func readOnly(isReadOnly: Bool) throws {
        let bench = try GpsdControlBench(isReadOnly ? ["-b"] : [])
        if !isReadOnly { #expect(bench.answer(to: .remove(device: bench.device)) == .ok) }
        #expect(bench.answer(to: .send(hexadecimal: UBXMessage.wakeUp, device: bench.device)) == .refused)
    }

    @Test("The control socket is absent without gpsd.")
    func absent() throws {
        let bench = try GpsdControlBench()
        bench.gpsd.kill()
        #expect(bench.answer(to: .add(device: bench.device)) == .absent(reason: "Connection refused"))
    }
}

/// A gpsd with a serial port; the test uses the other end of the port.
private final class GpsdControlBench {
    let gpsd: Child
    let device: String
    private let scratch: Scratch
    private let control: GpsdControl
    private let ours: Int32
    private let clock = BootClock()

    init(_ options: [String] = []) throws {
        scratch = try Scratch()
        let path = scratch.path + "/gpsd.sock"
        ours = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
        // TIOCSPTLCK and TIOCGPTN of asm/ioctls.h: the calls of unlockpt and ptsname, which Swift does not import.
        var (lock, number) = (Int32(0), Int32(0))
        _ = ioctl(ours, UInt(0x4004_5431), &lock)
        _ = ioctl(ours, UInt(0x8004_5430), &number)
        device = "/dev/pts/\(number)"
        chmod(device, 0o666)
        let program = try #require(Child.find("gpsd"))
        gpsd = try Child(program, ["-N", "-n", "-S", "\(freePort())", "-F", path] + options + [device])
        control = GpsdControl(path: path)
        // The file of a socket exists a moment before the program listens.
        #expect(eventually { isListening(at: path) })
    }

    deinit { close(ours) }

    /// Waits for gpsd's answer as the daemon's loop does, and returns the answer.
    func answer(to command: GpsdControl.Command) -> GpsdControl.Answer? {
        if let answer = control.send(command, at: clock.now()) { return answer }
        while true {
            guard case .read(let descriptor) = control.wait.interest else { return nil }
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            poll(&entry, 1, 100)
            if let answer = control.advance(at: clock.now()) { return answer }
        }
    }

    /// Returns whether these bytes reach the receiver; gpsd also sends others, by which it identifies receivers.
    func hears(_ wanted: [UInt8]) -> Bool {
        var heard: [UInt8] = []
        return eventually {
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = read(self.ours, &bytes, bytes.count)
            if count > 0 { heard += bytes.prefix(count) }
            return heard.indices.contains { heard[$0...].starts(with: wanted) }
        }
    }
}
