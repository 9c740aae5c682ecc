import Foundation
import TestSupport
import Testing

/// Without a receiver there is no tracking, so the exit status is 1 in every case.
extension InTheLab {
    @Suite("The doctor on the accelerometer's bus")
    struct DoctorBusTests {
        private let bench: DoctorBench

        init() throws {
            bench = try DoctorBench()
            bench.wireAccelerometer()
        }

        struct Row: Sendable, CustomTestStringConvertible {
            let testDescription: String
            let wired: (bus: String, chip: String, address: String)
            let chips: [UInt8: String]
            let text: String
            /// The remedy; `SECTION` stands for the whole section with the right accelerometer.
            let remedy: String
            var accelerometer = ""
            var more = ""
        }

        private static let rows = [
            Row(
                testDescription: "another address", wired: ("/dev/i2c-1", "LIS3DH", "0x18"), chips: [0x19: "LIS3DH"],
                text: "/dev/i2c-1 address 0x18: no chip answers; LIS3DH answers at 0x19.",
                remedy:
                    "Write `SECTION`, or change the wiring of the chip's address pin.",
                accelerometer: "{bus: /dev/i2c-1, chip: LIS3DH, address: 0x19, interrupt: none}"
            ),
            Row(
                testDescription: "another bus", wired: ("/dev/i2c-3", "LIS3DH", "0x18"), chips: [0x18: "LIS3DH"],
                text: "/dev/i2c-3 does not exist; LIS3DH answers on /dev/i2c-1 at 0x18.",
                remedy: "Write `SECTION`.",
                accelerometer: "{bus: /dev/i2c-1, chip: LIS3DH, address: 0x18, interrupt: none}",
                more: ", header: {data: 2, clock: 3}"),
            Row(
                testDescription: "a bus that is not there, and no chip on those that are",
                wired: ("/dev/i2c-3", "LIS3DH", "0x18"), chips: [:],
                text: "/dev/i2c-3 does not exist; this computer has only /dev/i2c-1.",
                remedy:
                    "Add the line for this board to config.txt (docs/wiring.md) and reboot, or set another `accelerometer.bus`."
            ),
            Row(
                testDescription: "another chip at the address", wired: ("/dev/i2c-1", "ADXL345", "0x1D"),
                chips: [0x1D: "MMA8452Q"],
                text: "/dev/i2c-1 address 0x1d: MMA8452Q answers (ADXL345 expected).",
                remedy: "Write `SECTION`.",
                accelerometer: "{bus: /dev/i2c-1, chip: MMA8452Q, address: 0x1d, interrupt: none}"),
            Row(
                testDescription: "one of two models that share an identity", wired: ("/dev/i2c-1", "ADXL345", "0x53"),
                chips: [0x18: "LIS2DH12"],
                text:
                    "/dev/i2c-1 address 0x53: no chip answers (ADXL345 expected); LIS3DH or LIS2DH12 answers at 0x18.",
                remedy: "Write `SECTION`.",
                accelerometer: "{bus: /dev/i2c-1, chip: LIS3DH, address: 0x18, interrupt: none}"),
            Row(
                testDescription: "an empty bus", wired: ("/dev/i2c-1", "LIS3DH", "0x18"), chips: [:],
                text:
                    "/dev/i2c-1 address 0x18: no chip answers (LIS3DH expected), and no other chip answers on this bus.",
                remedy:
                    "Check the chip's supply and ground. Check that SDA and SCL are not swapped, and that both have pull-ups (docs/wiring.md)."
            ),
            Row(
                testDescription: "only a stranger", wired: ("/dev/i2c-1", "LIS3DH", "0x18"), chips: [0x40: "BMI160"],
                text: "/dev/i2c-1 address 0x18: no chip answers (LIS3DH expected); an unknown chip answers at 0x40.",
                remedy: "Check the chip's supply and its address pin."),
        ]

        @Test("The doctor names the chip that answers instead of the configured one.", arguments: rows)
        func instead(row: Row) throws {
            let bus = try LabBus(row.chips.mapValues { try DoctorBench.chip($0) })
            bench.wireAccelerometer(row.wired.bus, chip: row.wired.chip, address: row.wired.address)
            let section = bench.section(["accelerometer": row.accelerometer], row.more)
            try expectFault(row.text, remedy: row.remedy.replacing("SECTION", with: section))
            withExtendedLifetime(bus) {}
        }

        @Test("The doctor reports a chip of no known model.")
        func unknown() throws {
            let chip = try DoctorBench.chip("LIS3DH")
            chip.disguise(as: 0xA5)
            let bus = try LabBus([0x18: chip])
            try expectFault(
                "/dev/i2c-1 address 0x18: an unknown chip answers (LIS3DH expected).",
                remedy:
                    "Set the bus and address of the accelerometer, or write `\(bench.section(["accelerometer": "none"]))`."
            )
            withExtendedLifetime(bus) {}
        }

        @Test("The doctor reports transfers that do not end because a chip keeps the clock line low.")
        func mute() throws {
            let bus = try LabBus([0x18: try DoctorBench.chip("LIS3DH")])
            try bus.isMute(true)
            try expectFault(
                "trackerd cannot use /dev/i2c-1 (transfers do not end in time).",
                remedy: "Check the wires SDA and SCL, and `bus` in the board file, then reboot.")
        }

        @Test("The doctor names the kernel driver that uses the chip.")
        func driver() throws {
            let bus = try LabBus([0x18: try DoctorBench.chip("LIS3DH")])
            let adapter = "/sys/bus/i2c/devices/i2c-1"
            try Lab.write("dummy 0x18", to: adapter + "/new_device")
            defer { try? Lab.write("0x18", to: adapter + "/delete_device") }
            try expectFault(
                "/dev/i2c-1 address 0x18: the kernel driver `dummy` uses the chip.",
                remedy: "Remove the `dtoverlay` of this driver from config.txt, and reboot.")
            withExtendedLifetime(bus) {}
        }

        @Test("The doctor reports an unknown model and lists the known models.")
        func model() throws {
            bench.wireAccelerometer(chip: "LIS3HD")
            let report = try bench.ask()
            #expect(report.status == 1)
            let finding = try #require(report.about("configuration").first)
            #expect(finding.grade == "fault")
            #expect(finding.text.contains("`board.accelerometer.chip` must be one of ADXL345, BMI160,"))
            #expect(finding.text.hasSuffix("`LIS3HD` is not. Did you mean `LIS3DH`?"))
            #expect(finding.remedy == "Correct the file, then run the doctor again.")
        }

        @Test("The doctor writes to no chip.", arguments: [false, true])
        func readsOnly(isSMBusOnly: Bool) throws {
            let chips: [UInt8: WatchedChip] = try [
                0x18: WatchedChip(DoctorBench.chip("LIS3DH")), 0x53: WatchedChip(DoctorBench.chip("ADXL345")),
                0x68: WatchedChip(DoctorBench.chip("MPU-6050")),
            ]
            let bus = try LabBus(chips)
            try LabBus.isSMBusOnly(isSMBusOnly)
            defer { try? LabBus.isSMBusOnly(false) }
            let findings = try bench.ask().about("accelerometer")
            #expect(findings.map(\.text) == ["/dev/i2c-1 address 0x18: LIS3DH or LIS2DH12 answers."])
            #expect(findings.map(\.grade) == ["ok"])
            #expect(bus.touch { chips.values.map(\.writes) } == [0, 0, 0])
        }

        private func expectFault(
            _ text: String, remedy: String, sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
            let report = try bench.ask()
            let fault = DoctorBench.Finding(check: "accelerometer", grade: "fault", text: text, remedy: remedy)
            #expect(report.about("accelerometer") == [fault], sourceLocation: sourceLocation)
            #expect(report.status == 1, sourceLocation: sourceLocation)
        }
    }
}
