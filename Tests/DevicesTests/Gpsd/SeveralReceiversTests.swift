import Devices
import Hardware
import Quantities
import Testing
import Tracking

@Suite("A gpsd without the configured receiver")
struct MissingReceiverTests {
    /// The answers of gpsd 3.22 to a request for the reports of a device that it does not have.
    private static func script(_ devices: GpsdScript.Step) -> GpsdScript {
        var script = GpsdScript()
        script.answerToDevices = [devices]
        script.answerToWatch = [.line(#"{"class":"ERROR","message":"No such device as /dev/gps9"}"#)]
        return script
    }

    @Test(
        "The fault names the missing device and the devices that gpsd uses, and does not change while the device is missing."
    )
    func missing() throws {
        let bench = try MockBench(Self.script(GpsdScript.devices("/dev/gps0")), device: "/dev/gps9")
        #expect(bench.start())
        bench.pass(.seconds(9))
        #expect(bench.presence.isEmpty && bench.gpsdReceiver.error == nil)
        bench.pass(.seconds(2))
        #expect(bench.presence == [false])
        let fault = GpsdError.noDevice(bench.gpsdReceiver.address, others: ["/dev/gps0"])
        for _ in 0..<600 {
            #expect(bench.gpsdReceiver.error == fault)
            bench.pass(.seconds(1))
        }
        #expect(bench.gpsd.connections < 14 && bench.calls < 200)
        // A parked vehicle releases the receiver, and requests it again for a position check.
        bench.gpsdReceiver.stop(at: bench.now)
        bench.pass(.seconds(60))
        #expect(bench.gpsdReceiver.error == fault)
        #expect(bench.start())
        bench.pass(.seconds(30))
        #expect(bench.gpsdReceiver.error == fault && bench.presence == [false])
    }

    @Test("When the device appears, the fault ends and the receiver delivers fixes.")
    func appears() throws {
        let bench = try MockBench(Self.script(GpsdScript.devices("/dev/gps0")), device: "/dev/gps9")
        #expect(bench.start())
        bench.pass(.seconds(20))
        let before = bench.gpsd.watchCount
        bench.gpsd.say(
            .line(#"{"class":"DEVICE","path":"/dev/gps9","activated":"2026-01-01T07:00:00.000Z"}"#))
        #expect(bench.run { $0.gpsd.watchCount == before + 1 })
        #expect(bench.gpsdReceiver.error == nil)
        bench.gpsd.say(GpsdScript.report(second: 1, device: "/dev/gps9"))
        #expect(bench.run { $0.fixes.count == 1 })
        #expect(bench.presence == [false, true])
    }

    @Test("A device that appears within ten seconds causes no fault, because a receiver on USB needs this time.")
    func late() throws {
        let bench = try MockBench(Self.script(GpsdScript.devices()), device: "/dev/gps9")
        #expect(bench.start())
        bench.pass(.seconds(8))
        bench.gpsd.say(
            .line(#"{"class":"DEVICE","path":"/dev/gps9","activated":"2026-01-01T07:00:00.000Z"}"#))
        bench.settle()
        bench.gpsd.say(GpsdScript.report(second: 1, device: "/dev/gps9"))
        bench.pass(.seconds(20))
        #expect(bench.presence == [true] && bench.gpsdReceiver.error == nil)
    }

    @Test("A gpsd without any device is a fault, even if no device is configured.")
    func none() throws {
        var script = GpsdScript()
        script.answerToWatch = [GpsdScript.devices()]
        let bench = try MockBench(script)
        #expect(bench.start())
        bench.pass(.seconds(11))
        #expect(bench.gpsdReceiver.error == .noDevice(bench.gpsdReceiver.address, others: []))
    }

    @Test("Reports of another receiver than the configured one are no fixes.")
    func other() throws {
        let bench = try MockBench(device: "/dev/gps0")
        #expect(bench.start())
        for second in 1...5 {
            bench.gpsd.say(GpsdScript.report(second: second))
            bench.gpsd.say(GpsdScript.report(second: second, device: "/dev/gps1", longitude: 13.4))
            bench.pass(.seconds(1))
        }
        #expect(bench.fixes.count == 5)
        #expect(bench.fixes.allSatisfy { $0.coordinate?.longitude == 4.9 })
        #expect(bench.gpsdReceiver.takeRemarks().isEmpty)
    }
}

@Suite("Several receivers behind gpsd, of which none is configured")
struct SeveralReceiversTests {
    /// Sends reports of the receivers for each second; each receiver has its own longitude.
    private func drive(_ bench: MockBench, _ seconds: ClosedRange<Int>, _ receivers: [(device: String, mode: Int)]) {
        for second in seconds {
            for (device, mode) in receivers {
                let longitude = device == "/dev/gps0" ? 4.9 : 13.4
                bench.gpsd.say(
                    GpsdScript.report(second: second, mode: mode, device: device, longitude: longitude))
            }
            bench.pass(.seconds(1))
        }
    }

    private func longitudes(_ fixes: some Collection<Fix>) -> [Double] { fixes.compactMap { $0.coordinate?.longitude } }

    @Test("Only the receiver that first reports a fix is used, and the log states this once.")
    func first() throws {
        let bench = try MockBench()
        #expect(bench.start())
        drive(bench, 1...3, [("/dev/gps1", 1), ("/dev/gps0", 1)])
        #expect(bench.gpsdReceiver.takeRemarks().isEmpty)
        drive(bench, 4...60, [("/dev/gps1", 1), ("/dev/gps0", 3)])
        drive(bench, 61...120, [("/dev/gps1", 3), ("/dev/gps0", 3)])
        #expect(longitudes(bench.fixes) == Array(repeating: 4.9, count: 117))
        #expect(bench.fixes.count { $0.mode == .noFix && ($0.time?.seconds ?? 0) > 1_767_251_104 } == 0)
        #expect(
            bench.gpsdReceiver.takeRemarks() == [
                "\(bench.gpsdReceiver.address): several receivers report; trackerd uses only /dev/gps0. "
                    + "To choose a receiver, write `board: {gpsd: {device: /dev/gps0}}`."
            ])
        #expect(bench.gpsdReceiver.takeRemarks().isEmpty)
    }

    @Test("If the used receiver is silent or loses its fix, another one replaces it after 30 s.", arguments: [nil, 1])
    func replaced(mode: Int?) throws {
        let bench = try MockBench()
        #expect(bench.start())
        drive(bench, 1...10, [("/dev/gps0", 3), ("/dev/gps1", 3)])
        _ = bench.gpsdReceiver.takeRemarks()
        let lost = mode.map { [("/dev/gps0", $0)] } ?? []
        drive(bench, 11...38, lost + [("/dev/gps1", 3)])
        #expect(longitudes(bench.fixes) == Array(repeating: 4.9, count: 10))
        drive(bench, 39...60, lost + [("/dev/gps1", 3)])
        drive(bench, 61...80, [("/dev/gps0", 3), ("/dev/gps1", 3)])
        // The program changes to the second receiver only once.
        let places = longitudes(bench.fixes)
        #expect(places.count > 40 && places == places.sorted())
        #expect(bench.presence == [true])
        #expect(
            bench.gpsdReceiver.takeRemarks() == [
                "\(bench.gpsdReceiver.address): /dev/gps0 has had no fix for 30 s; trackerd now uses /dev/gps1. "
                    + "To choose a receiver, write `board: {gpsd: {device: /dev/gps1}}`."
            ])
    }

    @Test("The satellites of another receiver are not in the fixes.")
    func sky() throws {
        let bench = try MockBench()
        #expect(bench.start())
        drive(bench, 1...2, [("/dev/gps0", 3), ("/dev/gps1", 3)])
        bench.gpsd.say(GpsdScript.sky)
        bench.gpsd.say(.line(#"{"class":"SKY","device":"/dev/gps1","hdop":0.4,"nSat":30,"uSat":25}"#))
        drive(bench, 3...4, [("/dev/gps0", 3), ("/dev/gps1", 3)])
        #expect(bench.fixes.last?.satellites == 2)
    }
}
