import Devices
import Hardware
import Peers
import Quantities
import Testing
import Tracking

/// After every fault, fixes arrive again, and the program never runs in a busy loop.
@Suite("A receiver behind a faulty gpsd")
struct GpsdFaultTests {
    @Test("The receiver connects again with growing pauses until gpsd runs.")
    func absent() throws {
        let bench = try MockBench()
        let port = bench.gpsd.port
        bench.gpsd.end()
        bench.gpsdReceiver.start(at: bench.now)
        #expect(bench.run { $0.presence == [false] })
        bench.pass(.seconds(600))
        // The attempts are 1, 2, 4, 8, 16, 32, and then 60 s apart. In ten minutes, there are 15 attempts with two calls each.
        #expect((20...40).contains(bench.calls))
        #expect(bench.presence == [false])
        let reason = "can't connect to host/port pair"
        #expect(bench.gpsdReceiver.error == .unreachable(bench.gpsdReceiver.address, reason: reason))
        bench.gpsd = try MockGpsd(port: port)
        bench.pass(.seconds(61))
        recovers(bench, presence: [false, true])
    }

    @Test("The receiver reconnects after a restart of gpsd.")
    func restarted() throws {
        let bench = try MockBench()
        begin(bench)
        let port = bench.gpsd.port
        bench.gpsd.end()
        bench.settle()
        #expect(bench.presence == [true, false])
        bench.gpsd = try MockGpsd(port: port)
        bench.pass(.seconds(3))
        recovers(bench, presence: [true, false, true])
    }

    @Test("The receiver causes no busy loop if gpsd ends in the middle of a line.")
    func midLine() throws {
        let bench = try MockBench()
        begin(bench)
        bench.gpsd.say(.bytes(Array(#"{"class":"TPV","device":"/dev/gps0","mode":3,"ti"#.utf8)))
        bench.settle()
        bench.gpsd.say(.close)
        bench.settle()
        #expect(bench.presence == [true, false])
        bench.pass(.seconds(3))
        recovers(bench, presence: [true, false, true])
    }

    @Test("Malformed lines are ignored.", arguments: noise)
    func nonsense(bytes: [UInt8]) throws {
        let bench = try MockBench()
        begin(bench)
        for _ in 0..<20 { bench.gpsd.say(.bytes(bytes + [10])) }
        bench.settle()
        #expect(bench.fixes.count == 1)
        recovers(bench, presence: [true])
    }

    @Test("An endless line closes the connection, and the receiver reconnects.")
    func endlessLine() throws {
        let bench = try MockBench()
        begin(bench)
        bench.gpsd.say(.bytes(Array(repeating: UInt8(ascii: "x"), count: 40_000)))
        bench.settle()
        bench.gpsd.say(.bytes(Array(repeating: UInt8(ascii: "x"), count: 40_000)))
        bench.settle()
        #expect(bench.presence == [true, false])
        #expect(bench.gpsdReceiver.error == .overlong(bench.gpsdReceiver.address))
        bench.pass(.seconds(3))
        recovers(bench, presence: [true, false, true])
    }

    @Test("The receiver continues after lines that stop or confuse libgps.", arguments: GpsdLines.all)
    func endless(line: String) throws {
        let bench = try MockBench()
        begin(bench)
        bench.gpsd.say(.line(line))
        bench.settle()
        recovers(bench, presence: [true])
    }

    @Test("The receiver reconnects after a minute without a report.")
    func silent() throws {
        let bench = try MockBench()
        begin(bench)
        bench.pass(.seconds(59))
        #expect(bench.presence == [true])
        bench.pass(.seconds(2))
        #expect(bench.presence == [true, false])
        #expect(bench.gpsdReceiver.error == .silent(bench.gpsdReceiver.address))
        bench.pass(.seconds(600))
        #expect(bench.gpsd.connections < 14)
        #expect(bench.calls < 100)
        bench.pass(.seconds(61))
        recovers(bench, presence: [true, false, true])
    }

    @Test("Reports that arrive byte by byte are read.")
    func slow() throws {
        var script = GpsdScript()
        script.bytesAPump = 1
        let bench = try MockBench(script)
        #expect(bench.start())
        bench.gpsd.say(GpsdScript.report(second: 1))
        bench.settle()
        #expect(bench.fixes.count == 1)
    }

    @Test("The pauses between connections grow if gpsd closes each connection at once.")
    func closing() throws {
        var script = GpsdScript()
        script.greeting = [.close]
        let bench = try MockBench(script)
        let port = bench.gpsd.port
        bench.gpsdReceiver.start(at: bench.now)
        bench.pass(.seconds(600))
        #expect((10...20).contains(bench.gpsd.connections))
        #expect(bench.calls < 60)
        #expect(bench.presence == [false])
        bench.gpsd.end()
        bench.gpsd = try MockGpsd(port: port)
        bench.pass(.seconds(61))
        recovers(bench, presence: [false, true])
    }

    @Test("The receiver disconnects from a gpsd that still reports after a stop.")
    func restless() throws {
        let bench = try MockBench()
        begin(bench)
        bench.gpsdReceiver.stop(at: bench.now)
        bench.pass(.seconds(6))
        bench.gpsd.say(GpsdScript.report(second: 2))
        bench.settle()
        #expect(bench.gpsdReceiver.wait == Wait())
        #expect(bench.fixes.count == 1)
    }

    /// Lines that are not reports, although some resemble one.
    static let noise: [[UInt8]] = [
        Array("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n".utf8),
        Array(#"{"class":"TPV","device":"/dev/gps0","mode":3,"lat":52.5,"lon":4.9,"spe"#.utf8),
        Array(#""class":"TPV","mode":3,"lat":52.5,"lon":4.9}"#.utf8),
        Array(#"{"class":"NEWER","mode":3,"lat":52.5,"lon":4.9}"#.utf8),
        Array(#"{"class":"SKY","satellites":[[[[{}]]]]}"#.utf8),
        Array(#"{{{{{{"class":"TPV"#.utf8),
        Array("{}".utf8), [], [0], [0xff, 0xfe, 0x00, 0x7b, 0x0d], Array(1...255),
    ]

    private func begin(_ bench: MockBench) {
        #expect(bench.start())
        bench.gpsd.say(GpsdScript.report(second: 1))
        #expect(bench.run { $0.fixes.count == 1 })
    }

    /// Expects that fixes arrive again, and that the loop called the receiver only when an event had happened.
    private func recovers(_ bench: MockBench, presence: [Bool]) {
        let before = bench.fixes.count
        #expect(bench.run { $0.gpsd.isWatched })
        bench.gpsd.say(GpsdScript.report(second: 1000))
        #expect(bench.run { $0.fixes.count == before + 1 })
        #expect(bench.presence == presence)
        #expect(bench.gpsdReceiver.error == nil)
        #expect(bench.calls < 150)
    }
}
