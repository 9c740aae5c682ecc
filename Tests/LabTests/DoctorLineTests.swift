import Glibc
import Testing

extension InTheLab {
    @Suite("The doctor on GPIO lines")
    struct DoctorLineTests {
        private let bench: DoctorBench

        init() throws { bench = try DoctorBench() }

        @Test("The doctor names the consumer of a busy line, and the program that uses the line.")
        func held() throws {
            let other = try HeldLine(22, consumer: "door sensor")
            let program = "\(try Lab.read("/proc/self/comm")) (process \(getpid()))"
            bench.parts["ignition"] = "{chip: pinctrl-lab, line: GPIO22}"
            try expectFault(
                "`ignition`, pinctrl-lab GPIO22, is in use by `door sensor`, the program \(program).",
                remedy: "End that program, remove the line's overlay from config.txt, or use another line.")
            withExtendedLifetime(other) {}
        }

        @Test("The doctor leaves a free line free, and recognises a line of the daemon.")
        func free() throws {
            bench.parts["ignition"] = "{chip: pinctrl-lab, line: GPIO22}"
            let free = try bench.ask().about("lines")
            #expect(free.map(\.text) == ["`ignition`, pinctrl-lab GPIO22, is free."])
            #expect(try LabLines.holder(of: 22) == nil)
            let daemons = try HeldLine(22, consumer: "trackerd")
            let held = try bench.ask().about("lines")
            #expect(held.map(\.text) == ["`ignition`, pinctrl-lab GPIO22, is in use by the daemon."])
            #expect((free + held).map(\.grade) == ["ok", "ok"])
            withExtendedLifetime(daemons) {}
        }

        @Test("The doctor checks the line of the private switch, as it checks the line of the ignition.")
        func privateSwitch() throws {
            bench.parts["private"] = "{chip: pinctrl-lab, line: GPIO23}"
            let free = try bench.ask().about("lines")
            #expect(free.map(\.text) == ["`private`, pinctrl-lab GPIO23, is free."])
            #expect(free.map(\.grade) == ["ok"])
            let other = try HeldLine(23, consumer: "door sensor")
            let program = "\(try Lab.read("/proc/self/comm")) (process \(getpid()))"
            try expectFault(
                "`private`, pinctrl-lab GPIO23, is in use by `door sensor`, the program \(program).",
                remedy: "End that program, remove the line's overlay from config.txt, or use another line.")
            withExtendedLifetime(other) {}
        }

        @Test("The doctor lists the GPIO chips if the configured chip does not exist.")
        func label() throws {
            bench.parts["ignition"] = "{chip: pinctrl-bcm2711, line: GPIO24}"
            try expectFault(
                "`ignition`: no GPIO chip has the name pinctrl-bcm2711; this computer has only pinctrl-lab.",
                remedy:
                    "Choose the right board (`board` in the configuration, or `--board`), or correct the chip in the board's file."
            )
        }

        @Test("The doctor suggests a line with a similar name.")
        func name() throws {
            bench.parts["ignition"] = "{chip: pinctrl-lab, line: GPI022}"
            try expectFault(
                "`ignition`, pinctrl-lab GPI022, does not exist. Did you mean `GPIO22`?",
                remedy: "Run `gpioinfo` to list the names and numbers.")
        }

        @Test("The doctor reports that a GPIO chip has no line with the configured number.")
        func number() throws {
            bench.parts["ignition"] = "{chip: pinctrl-lab, line: 28}"
            try expectFault(
                "`ignition`, pinctrl-lab line 28, does not exist.",
                remedy: "Run `gpioinfo` to list the names and numbers.")
        }

        private func expectFault(
            _ text: String, remedy: String, sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
            let report = try bench.ask()
            let fault = DoctorBench.Finding(check: "lines", grade: "fault", text: text, remedy: remedy)
            #expect(report.about("lines") == [fault], sourceLocation: sourceLocation)
            #expect(report.status == 1, sourceLocation: sourceLocation)
        }
    }
}
