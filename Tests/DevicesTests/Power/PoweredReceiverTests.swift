import Devices
import Hardware
import Quantities
import TestSupport
import Testing
import Tracking

@Suite("A receiver with a switched supply")
struct PoweredReceiverTests {
    @Test("is supplied, powers up, gets its line back, is given to gpsd, and is read")
    func on() {
        let bench = PowerBench()
        bench.start()
        #expect(bench.isSupplied)
        #expect(bench.gpsd.commands == [])
        #expect(bench.receiver?.wait.deadline == bench.now + .milliseconds(500))
        bench.pass(.milliseconds(500))
        #expect(bench.gpsd.commands == ["+/dev/gps0"])
        #expect(bench.inner.calls == ["start"])
        #expect(bench.receiver?.complaint == nil)
        #expect(bench.receiver?.wait == Wait())
    }

    @Test("goes off the other way: silent, taken from gpsd, its line let go of, and then without supply")
    func off() {
        let bench = PowerBench()
        bench.start()
        bench.pass(.seconds(10))
        bench.stop()
        #expect(bench.inner.calls == ["start", "stop"])
        #expect(bench.gpsd.commands == ["+/dev/gps0", "-/dev/gps0"])
        #expect(
            bench.lines.operations == [
                .taken(PowerBench.supply, .active), .taken(PowerBench.transmit, .floating),
                .set(PowerBench.supply, .inactive),
            ])
        #expect(bench.receiver?.wait == Wait())
    }

    @Test("is switched off at the start of the program, when nobody wants it")
    func begin() {
        let bench = PowerBench()
        #expect(bench.receiver?.wait == Wait(deadline: .boot))
        bench.settle()
        #expect(
            bench.lines.operations == [.taken(PowerBench.transmit, .floating), .taken(PowerBench.supply, .inactive)])
        #expect(bench.gpsd.commands == ["-/dev/gps0"])
        #expect(bench.receiver?.isAtRest == true)
    }

    @Test("is left off, and nothing driven, at the end of the program")
    func end() {
        let bench = PowerBench()
        bench.start()
        bench.pass(.seconds(10))
        bench.receiver = nil
        bench.gpsd.pump()
        #expect(bench.inner.calls == ["start", "stop"])
        #expect(bench.gpsd.commands == ["+/dev/gps0", "-/dev/gps0"])
        #expect(
            bench.lines.operations.prefix(3) == [
                .taken(PowerBench.supply, .active), .taken(PowerBench.transmit, .floating),
                .set(PowerBench.supply, .inactive),
            ])
        #expect(!bench.isSupplied)
    }

    @Test("is switched though gpsd is not there, which is complained of until it is")
    func absentGpsd() {
        let bench = PowerBench()
        bench.gpsd.end()
        bench.start()
        bench.pass(.seconds(1))
        #expect(bench.isSupplied)
        #expect(bench.inner.calls == ["start"])
        #expect(
            bench.receiver?.complaint == "\(bench.gpsd.path): gpsd cannot be told of its device "
                + "(No such file or directory). Let gpsd run with `-F \(bench.gpsd.path)`, readable by trackerd.")
        // 1, 2, 4, 8, 16, 32, then 60 s apart.
        #expect((10...20).contains(bench.pass(.seconds(600))))
        bench.stop()
        #expect(!bench.isSupplied)
        #expect(bench.receiver?.complaint == nil)
        #expect(bench.pass(.seconds(600)) == 0)
    }

    @Test("is switched though gpsd does not answer, after ten seconds")
    func silentGpsd() {
        let bench = PowerBench()
        bench.start()
        bench.pass(.seconds(10))
        bench.gpsd.manner = .isSilent
        bench.stop()
        #expect(bench.isSupplied)
        bench.pass(.seconds(9.9))
        #expect(bench.isSupplied)
        bench.pass(.seconds(0.2))
        #expect(!bench.isSupplied)
        #expect(bench.receiver?.complaint == "\(bench.gpsd.path): gpsd does not answer. See `journalctl -u gpsd`.")
        bench.gpsd.manner = .answers("OK\n")
        bench.pass(.seconds(20))
        #expect(bench.receiver?.complaint == nil)
    }

    @Test(
        "takes it for done when gpsd has the device already, or has not got it, as each release says so",
        arguments: ["ERROR\n", #"{"class":"ERROR"}"# + "\r\n"])
    func refused(answer: String) {
        let bench = PowerBench()
        bench.gpsd.manner = .answers(answer)
        bench.start()
        bench.pass(.seconds(1))
        #expect(bench.inner.calls == ["start"])
        #expect(bench.receiver?.complaint == nil)
        bench.stop()
        #expect(!bench.isSupplied)
        #expect(bench.receiver?.complaint == nil)
    }

    @Test("is switched as soon as a gpsd that speaks JSON acknowledges")
    func json() {
        let bench = PowerBench()
        bench.gpsd.manner = .answers(#"{"class":"ACK"}"# + "\r\n")
        bench.start()
        bench.pass(.seconds(1))
        #expect(bench.inner.calls == ["start"])
        #expect(bench.receiver?.complaint == nil)
    }

    @Test("goes on when gpsd closes the socket without an answer")
    func hangUp() {
        let bench = PowerBench()
        bench.gpsd.manner = .hangsUp
        bench.start()
        bench.pass(.seconds(0.5))
        #expect(bench.inner.calls == ["start"])
    }

    @Test("is read though its supply cannot be switched, which is complained of and tried again")
    func busyRail() {
        let bench = PowerBench()
        bench.lines.occupy(PowerBench.supply, by: "lights")
        bench.start()
        bench.pass(.seconds(1))
        #expect(bench.inner.calls == ["start"])
        #expect(bench.receiver?.complaint?.contains("GPIO27: is held by `lights`") == true)
        #expect(bench.events == [.receiverLines(canBeSet: false)])
        bench.lines.occupy(PowerBench.supply, by: nil)
        bench.pass(.seconds(60))
        #expect(bench.isSupplied)
        #expect(bench.receiver?.complaint == nil)
        #expect(bench.events == [.receiverLines(canBeSet: false), .receiverLines(canBeSet: true)])
    }

    @Test("is stopped in the middle of its start")
    func turned() {
        let bench = PowerBench()
        bench.settle()
        bench.start()
        #expect(bench.isSupplied)
        bench.pass(.milliseconds(200))
        bench.stop()
        #expect(!bench.isSupplied)
        bench.pass(.seconds(10))
        #expect(bench.inner.calls == ["stop"])
        #expect(bench.receiver?.wait == Wait())
    }

    @Test("without a switch is only taken from gpsd")
    func none() {
        let bench = PowerBench(.none, transmit: nil)
        bench.start()
        #expect(bench.inner.calls == ["start"])
        bench.stop()
        #expect(bench.gpsd.commands == ["+/dev/gps0", "-/dev/gps0"])
        #expect(bench.lines.operations == [])
    }

    @Test("without a control socket, or a name that gpsd knows, is switched alone", arguments: [true, false])
    func alone(hasControl: Bool) {
        let bench = PowerBench(device: hasControl ? nil : "/dev/gps0", hasControl: hasControl)
        bench.start()
        bench.pass(.milliseconds(500))
        #expect(bench.inner.calls == ["start"])
        bench.stop()
        #expect(!bench.isSupplied)
        #expect(bench.gpsd.commands == [])
    }

    @Test("of u-blox is woken by bytes, and sent to standby when nobody reads it any more")
    func ubx() {
        let bench = PowerBench(.ubx, transmit: nil)
        bench.start()
        #expect(bench.gpsd.commands == ["&/dev/gps0=ffffffffffffffff"])
        bench.pass(.milliseconds(500))
        #expect(bench.inner.calls == ["start"])
        bench.stop()
        #expect(bench.gpsd.commands.last == "&/dev/gps0=b5620241100000000000000000000600000008000000616b")
        #expect(bench.inner.calls == ["start", "stop"])
    }

    @Test("of u-blox is sent to standby at the end of the program, once", arguments: [true, false])
    func ubxEnds(isStoppedBefore: Bool) {
        let bench = PowerBench(.ubx, transmit: nil)
        bench.start()
        bench.pass(.seconds(1))
        if isStoppedBefore { bench.receiver?.stop(at: bench.now) }
        bench.receiver = nil
        bench.gpsd.pump()
        #expect(
            bench.gpsd.commands == [
                "&/dev/gps0=ffffffffffffffff", "&/dev/gps0=b5620241100000000000000000000600000008000000616b",
            ])
    }

    @Test("of u-blox that gpsd cannot write to is complained of")
    func ubxReadOnly() {
        let bench = PowerBench(.ubx, transmit: nil)
        bench.gpsd.manner = .answers("ERROR\n")
        bench.start()
        bench.pass(.seconds(1))
        #expect(bench.inner.calls == ["start"])
        #expect(
            bench.receiver?.complaint == "\(bench.gpsd.path): gpsd cannot send to /dev/gps0. "
                + "Let it run with `-n` and without `-b`, and see what it lists there.")
    }

    @Test("is taken from gpsd and given back to revive it, its supply staying on")
    func reopen() {
        let bench = PowerBench()
        bench.start()
        bench.pass(.seconds(1))
        #expect(bench.receiver?.revivals == [.reopen])
        bench.receiver?.revive(.reopen, at: bench.now)
        bench.settle()
        #expect(bench.gpsd.commands == ["+/dev/gps0", "-/dev/gps0", "+/dev/gps0"])
        #expect(bench.inner.calls == ["start", "stop", "start"])
        #expect(bench.lines.operations == [.taken(PowerBench.supply, .active)])
    }

    @Test("is reset by its line for 100 ms, which is let go of then")
    func resetLine() {
        let bench = PowerBench(reset: PowerBench.reset)
        bench.lines.pull(PowerBench.reset, isHigh: true)
        bench.start()
        bench.pass(.seconds(1))
        #expect(bench.receiver?.revivals == [.reopen, .reset])
        #expect(bench.lines.isHigh(PowerBench.reset))
        bench.receiver?.revive(.reset, at: bench.now)
        bench.pass(.milliseconds(99))
        #expect(!bench.lines.isHigh(PowerBench.reset))
        bench.pass(.milliseconds(1))
        #expect(bench.lines.isHigh(PowerBench.reset))
        #expect(!bench.lines.isDriven(PowerBench.reset))
        #expect(bench.receiver?.wait == Wait())
    }

    @Test("of u-blox is reset by a message")
    func resetMessage() {
        let bench = PowerBench(.ubx, transmit: nil)
        bench.start()
        bench.pass(.seconds(1))
        #expect(bench.receiver?.revivals == [.reset])
        bench.receiver?.revive(.reset, at: bench.now)
        bench.settle()
        #expect(bench.gpsd.commands.last == "&/dev/gps0=b56206040400000000000e64")
        #expect(bench.receiver?.complaint == nil)
    }

    @Test("has no means beside its supply where none is wired")
    func noRevivals() {
        #expect(PowerBench(hasControl: false).receiver?.revivals == [])
    }

    @Test("passes on what is read, and what is wrong with that")
    func passesOn() {
        let bench = PowerBench()
        bench.start()
        bench.pass(.seconds(1))
        bench.inner.coming = [.receiver(isThere: true)]
        bench.inner.complaint = "It rains."
        bench.settle()
        #expect(bench.events == [.receiver(isThere: true)])
        #expect(bench.receiver?.complaint == "It rains.")
        bench.inner.wait = Wait(.read(77), deadline: bench.now + .seconds(3))
        #expect(bench.receiver?.wait == bench.inner.wait)
    }
}
