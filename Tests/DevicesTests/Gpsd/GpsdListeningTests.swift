import Devices
import Glibc
import Hardware
import Quantities
import Testing
import Tracking

@Suite("The doctor's probe of gpsd")
struct GpsdListeningTests {
    private static let version = #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#
    private static let device =
        #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/gps0","activated":"2026-01-01T00:00:00.000Z"}]}"#
    private static let closedDevice = #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/gps0"}]}"#
    private static let sky = """
        {"class":"SKY","device":"/dev/gps0","hdop":1.1,"nSat":2,"uSat":1,"satellites":[{"PRN":1,"el":40,"az":10,"ss":30,"used":true},\
        {"PRN":2,"el":40,"az":90,"ss":20,"used":false}]}
        """
    private static let noFix = #"{"class":"TPV","device":"/dev/gps0","mode":1}"#
    private static let fix = """
        {"class":"TPV","device":"/dev/gps0","mode":3,"time":"2026-01-01T00:00:00.000Z","lat":52.5,"lon":13.4,\
        "alt":40.0,"speed":0.0,"eph":6.0}
        """

    @Test("The probe finds a fix and its number of satellites.")
    func hasFix() throws {
        guard case .fix("/dev/gps0", let error, 1)? = try Self.listen([Self.device, Self.sky, Self.fix]) else {
            Issue.record("no fix was heard")
            return
        }
        #expect(try #require(error) > Metres(2))
    }

    @Test(
        "The probe calls a position unusable that the engine would reject, for the engine's reason.",
        arguments: [
            (#""time":"2006-09-17T00:00:00.000Z","eph":6.0"#, FixRejection.tooOld),
            (#""time":"2026-01-01T00:00:00.000Z","eph":480.0"#, .inaccurate), (#""eph":6.0"#, .noDate),
            (#""time":"2026-01-01T00:00:00.000Z""#, .unknownAccuracy),
        ])
    func unusable(fields: String, reason: FixRejection) throws {
        let report = #"{"class":"TPV","device":"/dev/gps0","mode":2,"lat":52.5,"lon":13.4,\#(fields)}"#
        guard case .unusable("/dev/gps0", reason, _)? = try Self.listen([Self.device, Self.sky, report]) else {
            Issue.record("the position counted")
            return
        }
    }

    @Test("A position without a date counts if a time server has set the clock.")
    func dated() throws {
        let report = #"{"class":"TPV","device":"/dev/gps0","mode":3,"lat":52.5,"lon":13.4,"eph":6.0}"#
        guard case .fix? = try Self.listen([Self.device, Self.sky, report], isClockSet: true) else {
            Issue.record("no fix was heard")
            return
        }
    }

    @Test("The probe finds that gpsd has no device.")
    func noDevice() throws {
        #expect(try Self.listen([#"{"class":"DEVICES","devices":[]}"#]) == .noDevice(others: []))
    }

    @Test("The probe finds that gpsd does not have the configured device, but another.")
    func otherDevice() throws {
        #expect(try Self.listen([Self.device], device: "/dev/ttyACM0") == .noDevice(others: ["/dev/gps0"]))
    }

    @Test("Reports without a device count as reports of the configured one.")
    func nameless() throws {
        let lines = [Self.sky, Self.fix].map { $0.replacing(#""device":"/dev/gps0","#, with: "") }
        guard case .fix("/dev/gps0", _, 1)? = try Self.listen([Self.device] + lines, device: "/dev/gps0") else {
            Issue.record("no fix was heard")
            return
        }
    }

    @Test("The probe finds a receiver that searches for satellites.")
    func searching() throws {
        #expect(
            try Self.listen([Self.device, Self.sky, Self.noFix]) == .searching(device: "/dev/gps0", used: 1, seen: 2))
    }

    @Test("The probe finds a silent receiver.")
    func silent() throws {
        #expect(try Self.listen([Self.device]) == .silent(device: "/dev/gps0", span: .seconds(8)))
    }

    @Test("A device that gpsd does not have open counts as failing.")
    func closed() throws {
        #expect(
            try Self.listen([Self.closedDevice])
                == .deviceFailing(device: "/dev/gps0", reason: "gpsd could not open it"))
    }

    @Test("The probe finds that gpsd does not run.")
    func nobody() throws {
        let mock = try MockGpsd()
        let listening = GpsdListening(
            to: GpsdAddress(host: "127.0.0.1", port: mock.port), accuracyLimit: Metres(200), isClockSet: false)
        mock.end()
        var facts: ReceiverFacts?
        for _ in 0..<MockBench.patience where facts == nil {
            facts = listening.advance()
            usleep(2_000)
        }
        guard case .noGpsd? = facts else {
            Issue.record("\(String(describing: facts))")
            return
        }
    }

    /// Returns the facts about a gpsd that sends these lines after a request for reports.
    private static func listen(
        _ lines: [String], device: String? = nil, isClockSet: Bool = false
    ) throws -> ReceiverFacts? {
        let script = GpsdScript(greeting: [.line(version)], answerToWatch: lines.map { .line($0) })
        let mock = try MockGpsd(script)
        let address = GpsdAddress(host: "127.0.0.1", port: mock.port, device: device)
        let listening = GpsdListening(to: address, accuracyLimit: Metres(200), isClockSet: isClockSet)
        for _ in 0..<MockBench.patience {
            mock.pump()
            if let facts = listening.advance() { return facts }
            var waiting = pollfd(fd: listening.descriptor, events: Int16(POLLIN), revents: 0)
            poll(&waiting, 1, MockBench.crossing)
            if mock.isWatched, !mock.isSpeaking, waiting.revents == 0 { break }
        }
        return listening.facts(after: .seconds(8))
    }
}
