import Contracts
import Devices
import Hardware
import Quantities
import TestSupport
import Testing
import Tracking

@Suite("A receiver with a switched supply")
struct PoweredReceiverTests {
    @Test("A receiver with a switched supply fulfils the receiver contract.")
    func contract() throws {
        let violations = try violationsOfReceiverContract {
            let bench = try MockBench { receiver in
                let wiring = ReceiverPowerWiring(
                    kind: .rail(PowerBench.supply), powerUpTime: .milliseconds(500), transmit: PowerBench.transmit)
                return PoweredReceiver(receiver, wiring, device: nil, on: SimulatedLines())
            }
            // The receiver may already be on at the start, so the program first switches it off.
            bench.settle()
            return bench
        }
        #expect(violations == [])
    }

    @Test("A receiver is switched on in order: supply, power-up time, line, gpsd, reading.")
    func on() {
        let bench = PowerBench()
        bench.start()
        #expect(bench.isSupplied)
        #expect(bench.gpsd.commands == [])
        #expect(bench.receiver?.wait.deadline == bench.now + .milliseconds(500))
        bench.pass(.milliseconds(500))
        #expect(bench.gpsd.commands == ["+/dev/gps0"])
        #expect(bench.inner.calls == ["start"])
        #expect(bench.receiver?.fault == nil)
        #expect(bench.receiver?.wait == Wait())
    }

    @Test("A receiver is switched off in reverse order: reading, gpsd, line, supply.")
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

    @Test("A receiver that is not requested is switched off when the program starts.")
    func begin() {
        let bench = PowerBench()
        #expect(bench.receiver?.wait == Wait(deadline: .boot))
        bench.settle()
        #expect(
            bench.lines.operations == [.taken(PowerBench.transmit, .floating), .taken(PowerBench.supply, .inactive)])
        #expect(bench.gpsd.commands == ["-/dev/gps0"])
        #expect(bench.receiver?.isAtRest == true)
    }

    @Test("A closed receiver is off, and none of its lines is driven.")
    func end() {
        let bench = PowerBench()
        bench.start()
        bench.pass(.seconds(10))
        bench.receiver?.close(at: bench.now, by: bench.now + .seconds(1))
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

    @Test("Closing a receiver waits for gpsd for at most 300 ms, and not at all after the deadline.")
    func closesInTime() {
        for (span, bound) in [(Duration.seconds(10), Duration.milliseconds(600)), (.seconds(-1), .milliseconds(200))] {
            let bench = PowerBench()
            bench.start()
            bench.pass(.seconds(10))
            bench.gpsd.manner = .isSilent
            let clock = ContinuousClock()
            let taken = clock.measure { bench.receiver?.close(at: bench.now, by: bench.now + span) }
            #expect(taken < bound)
            #expect(!bench.isSupplied)
        }
    }

    @Test("A receiver is switched without gpsd; the missing gpsd is a fault until it is running.")
    func absentGpsd() {
        let bench = PowerBench()
        bench.gpsd.end()
        bench.start()
        bench.pass(.seconds(1))
        #expect(bench.isSupplied)
        #expect(bench.inner.calls == ["start"])
        let absent = GpsdControlError.absent(bench.gpsd.path, reason: "No such file or directory")
        #expect(bench.receiver?.fault as? GpsdControlError == absent)
        // The attempts are 1, 2, 4, 8, 16, 32, and then 60 s apart.
        #expect((10...20).contains(bench.pass(.seconds(600))))
        bench.stop()
        #expect(!bench.isSupplied)
        #expect(bench.receiver?.fault == nil)
        #expect(bench.pass(.seconds(600)) == 0)
    }

    @Test("A receiver is switched after ten seconds if gpsd does not answer.")
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
        #expect(bench.receiver?.fault as? GpsdControlError == .silent(bench.gpsd.path))
        bench.gpsd.manner = .answers("OK\n")
        bench.pass(.seconds(20))
        #expect(bench.receiver?.fault == nil)
    }

    @Test(
        "In each release of gpsd, a device that gpsd already has counts as added, and a missing one as removed.",
        arguments: ["ERROR\n", #"{"class":"ERROR"}"# + "\r\n"])
    func refused(answer: String) {
        let bench = PowerBench()
        bench.gpsd.manner = .answers(answer)
        bench.start()
        bench.pass(.seconds(1))
        #expect(bench.inner.calls == ["start"])
        #expect(bench.receiver?.fault == nil)
        bench.stop()
        #expect(!bench.isSupplied)
        #expect(bench.receiver?.fault == nil)
    }

    @Test("A receiver is switched as soon as gpsd acknowledges in JSON.")
    func json() {
        let bench = PowerBench()
        bench.gpsd.manner = .answers(#"{"class":"ACK"}"# + "\r\n")
        bench.start()
        bench.pass(.seconds(1))
        #expect(bench.inner.calls == ["start"])
        #expect(bench.receiver?.fault == nil)
    }

    @Test("The sequence continues if gpsd closes the socket without an answer.")
    func hangUp() {
        let bench = PowerBench()
        bench.gpsd.manner = .hangsUp
        bench.start()
        bench.pass(.seconds(0.5))
        #expect(bench.inner.calls == ["start"])
    }

    @Test("A receiver whose supply cannot be switched is still read; the supply is a fault and is tried again.")
    func busyRail() {
        let bench = PowerBench()
        bench.lines.occupy(PowerBench.supply, by: "lights")
        bench.start()
        bench.pass(.seconds(1))
        #expect(bench.inner.calls == ["start"])
        #expect(bench.receiver?.fault as? LineError == .busy(PowerBench.supply, consumer: "lights", program: nil))
        #expect(bench.events == [.receiverLines(canBeSet: false)])
        bench.lines.occupy(PowerBench.supply, by: nil)
        bench.pass(.seconds(60))
        #expect(bench.isSupplied)
        #expect(bench.receiver?.fault == nil)
        #expect(bench.events == [.receiverLines(canBeSet: false), .receiverLines(canBeSet: true)])
    }

    @Test("A receiver can be stopped while it starts.")
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

    @Test("A receiver without a switch is only removed from gpsd.")
    func none() {
        let bench = PowerBench(.none, transmit: nil)
        bench.start()
        #expect(bench.inner.calls == ["start"])
        bench.stop()
        #expect(bench.gpsd.commands == ["+/dev/gps0", "-/dev/gps0"])
        #expect(bench.lines.operations == [])
    }

    @Test("A receiver without a control socket or device path is switched without gpsd.", arguments: [true, false])
    func alone(hasControl: Bool) {
        let bench = PowerBench(device: hasControl ? nil : "/dev/gps0", hasControl: hasControl)
        bench.start()
        bench.pass(.milliseconds(500))
        #expect(bench.inner.calls == ["start"])
        bench.stop()
        #expect(!bench.isSupplied)
        #expect(bench.gpsd.commands == [])
    }

    @Test("A u-blox receiver is woken by bytes, and put into standby after reading has stopped.")
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

    @Test("Closing a u-blox receiver puts it into standby once.", arguments: [true, false])
    func ubxEnds(isStoppedBefore: Bool) {
        let bench = PowerBench(.ubx, transmit: nil)
        bench.start()
        bench.pass(.seconds(1))
        if isStoppedBefore { bench.receiver?.stop(at: bench.now) }
        bench.receiver?.close(at: bench.now, by: bench.now + .seconds(1))
        bench.gpsd.pump()
        #expect(
            bench.gpsd.commands == [
                "&/dev/gps0=ffffffffffffffff", "&/dev/gps0=b5620241100000000000000000000600000008000000616b",
            ])
    }

    @Test("A u-blox receiver that gpsd cannot write to is a fault.")
    func ubxReadOnly() {
        let bench = PowerBench(.ubx, transmit: nil)
        bench.gpsd.manner = .answers("ERROR\n")
        bench.start()
        bench.pass(.seconds(1))
        #expect(bench.inner.calls == ["start"])
        let refused = GpsdControlError.refused(bench.gpsd.path, device: "/dev/gps0")
        #expect(bench.receiver?.fault as? GpsdControlError == refused)
    }

    @Test("Reopening removes the device from gpsd and adds it again, without switching the supply.")
    func reopen() {
        let bench = PowerBench()
        bench.start()
        bench.pass(.seconds(1))
        #expect(bench.receiver?.recoveries == [.reopen])
        bench.receiver?.recover(.reopen, at: bench.now)
        bench.settle()
        #expect(bench.gpsd.commands == ["+/dev/gps0", "-/dev/gps0", "+/dev/gps0"])
        #expect(bench.inner.calls == ["start", "stop", "start"])
        #expect(bench.lines.operations == [.taken(PowerBench.supply, .active)])
    }

    @Test("The reset line of a receiver is active for 100 ms and is then released.")
    func resetLine() {
        let bench = PowerBench(reset: PowerBench.reset)
        bench.lines.pull(PowerBench.reset, isHigh: true)
        bench.start()
        bench.pass(.seconds(1))
        #expect(bench.receiver?.recoveries == [.reopen, .reset])
        #expect(bench.lines.isHigh(PowerBench.reset))
        bench.receiver?.recover(.reset, at: bench.now)
        bench.pass(.milliseconds(99))
        #expect(!bench.lines.isHigh(PowerBench.reset))
        bench.pass(.milliseconds(1))
        #expect(bench.lines.isHigh(PowerBench.reset))
        #expect(!bench.lines.isDriven(PowerBench.reset))
        #expect(bench.receiver?.wait == Wait())
    }

    @Test("A u-blox receiver is reset by a message.")
    func resetMessage() {
        let bench = PowerBench(.ubx, transmit: nil)
        bench.start()
        bench.pass(.seconds(1))
        #expect(bench.receiver?.recoveries == [.reset])
        bench.receiver?.recover(.reset, at: bench.now)
        bench.settle()
        #expect(bench.gpsd.commands.last == "&/dev/gps0=b56206040400000000000e64")
        #expect(bench.receiver?.fault == nil)
    }

    @Test("A receiver without further wiring has no recoveries.")
    func noRecoveries() {
        #expect(PowerBench(hasControl: false).receiver?.recoveries == [])
    }

    @Test("A receiver with a switched supply passes on the events, faults, remarks and waits of the inner receiver.")
    func passesOn() {
        let bench = PowerBench()
        bench.start()
        bench.pass(.seconds(1))
        bench.inner.coming = [.receiver(isThere: true)]
        bench.inner.fault = GpsdError.closed(GpsdAddress())
        bench.inner.remarks = ["two receivers"]
        bench.settle()
        #expect(bench.receiver?.takeRemarks() == ["two receivers"])
        #expect(bench.events == [.receiver(isThere: true)])
        #expect(bench.receiver?.fault as? GpsdError == .closed(GpsdAddress()))
        bench.inner.wait = Wait(.read(77), deadline: bench.now + .seconds(3))
        #expect(bench.receiver?.wait == bench.inner.wait)
    }
}
