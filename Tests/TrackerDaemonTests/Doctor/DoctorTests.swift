@testable import Configuration
@testable import Doctor
import Hardware
import Quantities
import Testing
@testable import Upload

@Suite("The doctor")
struct DoctorTests {
    @Test("Each fault is reported with its remedy.", arguments: DoctorCase.all)
    func fault(_ fault: DoctorCase) {
        var facts = Self.van
        fault.happen(&facts)
        let entries = Examination(of: facts).entries.filter { $0.finding.grade != .ok }
        #expect(entries.map(\.check) == [fault.check])
        var expected = Finding(grade: fault.grade, text: fault.text, remedy: fault.remedy)
        if fault.text.contains("the certificate of track.example is not trusted") { expected.lack = .authority }
        if fault.text.contains("rejects the credentials (status 401)") { expected.lack = .credentials }
        #expect(entries.map(\.finding) == [expected])
    }

    @Test("A van without faults can be tracked.")
    func inOrder() {
        #expect(
            Examination(of: Self.van).text == """
                ok      configuration  config.yaml is valid, with 1 target.
                ok      user           ada is in the group trackerd.
                ok      accelerometer  /dev/i2c-1 address 0x18: LIS3DH or LIS2DH12 answers.
                ok      lines          `accelerometer.interrupt`, soc GPIO4, is in use by the daemon.
                ok      lines          `receiverPower.line`, soc GPIO18, is free.
                ok      receiver       /dev/gps0 has a fix, ±4 m with 9 satellites.
                ok      bluetooth      hci0 can scan for beacons.
                ok      database       /var/lib/x.sqlite is writable; the disk has 12000 MB left.
                ok      clock          the clock is not set, but the receiver provides the time. To set the computer's clock from the receiver, run `sudo trackerd-clock on`.
                ok      targets        home: track.example answered a GET with status 405 in 83 ms; only an upload shows whether the server accepts records.
                The vehicle can be tracked.
                """)
    }

    @Test("Some seconds before chrony sets the clock from the receiver, the doctor reports that this is to come.")
    func clockFromReceiver() {
        var facts = Facts()
        facts.clock = ClockFacts(isSynchronised: false, hasTimeOfFix: true, isSetByReceiver: true)
        #expect(
            Examination(of: facts).entries.map(\.finding) == [
                .ok("the clock is not set yet; chrony sets it once the receiver has had a fix for some seconds.")
            ])
    }

    @Test("A fault of configuration, receiver or database prevents tracking.")
    func vital() {
        for fault in DoctorCase.all {
            var facts = Self.van
            fault.happen(&facts)
            let isVital = ["configuration", "receiver", "database"].contains(fault.check) && fault.grade == .fault
            #expect(Examination(of: facts).canTrack == !isVital, "\(fault)")
        }
    }

    @Test("The remedy is printed below the fault.")
    func remedy() {
        var facts = Facts()
        facts.receiver = .noGpsd(reason: "Connection refused")
        #expect(
            Examination(of: facts).text == """
                FAULT   receiver  gpsd at localhost:2947 does not answer (Connection refused).
                                  Install gpsd and run `sudo systemctl enable --now gpsd.socket`, or set the address of gpsd in the board's `gpsd` or with `--gpsd`.
                The vehicle cannot be tracked.
                """)
    }

    @Test("Parts that were not examined, or that the board lacks, are not reported.")
    func nothing() {
        var facts = Facts()
        facts.board = BoardDescription(name: "bare")
        facts.bus = .forbidden
        facts.adapter = .down
        #expect(Examination(of: facts).entries.isEmpty)
    }

    @Test("The verdict counts the faults.")
    func parts() {
        var facts = Self.van
        facts.bus = .forbidden
        #expect(Examination(of: facts).text.hasSuffix("The vehicle can be tracked, but the doctor found one fault."))
        facts.adapter = .taken
        #expect(Examination(of: facts).text.hasSuffix("The vehicle can be tracked, but the doctor found 2 faults."))
    }

    @Test("Root gets a warning, since root has permissions that the daemon lacks.")
    func root() {
        var facts = Facts()
        facts.user = UserFacts(name: "root", isRoot: true, isInGroup: false)
        #expect(Examination(of: facts).entries.map(\.finding.grade) == [.warning])
    }

    @Test("The doctor does not suggest that the user ignore a note about an empty secret.")
    func notes() {
        var facts = Facts()
        let notes = [true, false].map {
            ConfigurationError.Problem(file: "config.yaml", line: 4, text: "a note.", mayBeIntended: $0)
        }
        facts.configuration = .right(path: "config.yaml", targets: 1, notes: notes)
        #expect(
            Examination(of: facts).entries.prefix(2).map(\.finding.remedy) == [
                "If you intend this setting, ignore the warning.", nil,
            ])
    }

    /// The facts about a van without faults.
    private static var van: Facts {
        var board = BoardDescription(name: "van", gpsd: GpsdAddress(device: "/dev/gps0"))
        let interrupt = LineReference(chip: "soc", line: .name("GPIO4"))
        let rail = LineReference(chip: "soc", line: .name("GPIO18"))
        board.accelerometer = AccelerometerWiring(
            bus: "/dev/i2c-1", model: "LIS3DH", address: 0x18, interrupt: interrupt)
        board.receiverPower = ReceiverPowerWiring(kind: .rail(rail))
        board.bluetooth = 0
        var facts = Facts()
        facts.user = UserFacts(name: "ada", isRoot: false, isInGroup: true)
        facts.configuration = .right(path: "config.yaml", targets: 1, notes: [])
        facts.board = board
        facts.bus = .scanned(answers: [.init(0x18, "LIS3DH", "LIS2DH12"), .init(0x40)], elsewhere: [])
        facts.lines = [
            ExaminedLine(key: "accelerometer.interrupt", line: interrupt, facts: .held(by: "trackerd", program: nil)),
            ExaminedLine(key: "receiverPower.line", line: rail, facts: .free),
        ]
        facts.receiver = .fix(device: "/dev/gps0", error: Metres(3.6), used: 9)
        facts.adapter = .ready
        facts.store = .working(path: "/var/lib/x.sqlite", free_bytes: 12_000_000_000)
        facts.clock = ClockFacts(isSynchronised: false, hasTimeOfFix: true)
        facts.targets = [
            ExaminedTarget(
                name: "home", host: "track.example", facts: .answered(.plausible(status: 405), after: .milliseconds(83))
            )
        ]
        return facts
    }
}
