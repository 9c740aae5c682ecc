import Devices
import Foundation
import Glibc
import Hardware
import Peers
import Quantities
import Testing

@Suite("A real gpsd's control socket", .enabled(if: Child.find("gpsd") != nil, "gpsd is not installed"))
struct RealGpsdControlTests {
    @Test("takes a device, gives it back, and refuses what it has already or has not got")
    func addAndRemove() throws {
        let bench = try GpsdControlBench()
        #expect(bench.answer(to: .add(device: bench.device)) == .refused)
        #expect(bench.answer(to: .remove(device: bench.device)) == .ok)
        #expect(bench.answer(to: .remove(device: bench.device)) == .refused)
        #expect(bench.answer(to: .add(device: bench.device)) == .ok)
    }

    @Test("passes a message on to the receiver")
    func send() throws {
        let bench = try GpsdControlBench()
        #expect(bench.answer(to: .send(hexadecimal: UBXMessage.standby.hexadecimal, device: bench.device)) == .ok)
        #expect(bench.hears(UBXMessage.standby.bytes))
    }

    @Test("refuses a message to the receiver when gpsd only reads, or has not got it", arguments: [true, false])
    func readOnly(isReadOnly: Bool) throws {
        let bench = try GpsdControlBench(isReadOnly ? ["-b"] : [])
        if !isReadOnly { #expect(bench.answer(to: .remove(device: bench.device)) == .ok) }
        #expect(bench.answer(to: .send(hexadecimal: UBXMessage.wakeUp, device: bench.device)) == .refused)
    }

    @Test("is absent when gpsd is")
    func absent() throws {
        let bench = try GpsdControlBench()
        bench.gpsd.kill()
        #expect(bench.answer(to: .add(device: bench.device)) == .absent(reason: "Connection refused"))
    }
}

/// A gpsd that has a serial port, of which we are the other end.
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
        // TIOCSPTLCK and TIOCGPTN of asm/ioctls.h: what unlockpt and ptsname do, which Swift does not see.
        var (lock, number) = (Int32(0), Int32(0))
        _ = ioctl(ours, UInt(0x4004_5431), &lock)
        _ = ioctl(ours, UInt(0x8004_5430), &number)
        device = "/dev/pts/\(number)"
        chmod(device, 0o666)
        let program = try #require(Child.find("gpsd"))
        gpsd = try Child(program, ["-N", "-n", "-S", "\(freePort())", "-F", path] + options + [device])
        control = GpsdControl(path: path)
        #expect(eventually { access(path, F_OK) == 0 })
    }

    deinit { close(ours) }

    /// What gpsd answers, waited for as the loop does.
    func answer(to command: GpsdControl.Command) -> GpsdControl.Answer? {
        if let answer = control.send(command, at: clock.now()) { return answer }
        while true {
            guard case .read(let descriptor) = control.wait.interest else { return nil }
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            poll(&entry, 1, 100)
            if let answer = control.advance(at: clock.now()) { return answer }
        }
    }

    /// Whether these bytes reach the receiver, among those by which gpsd asks what it is.
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
