import Devices
import Foundation
import Hardware
import Quantities
import TestSupport
import Testing

@Suite("An indicator light")
final class IndicatorTests {
    private let root = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    deinit { try? FileManager.default.removeItem(at: root) }

    private func write(_ text: String, to name: String) throws {
        try FileManager.default.createDirectory(
            at: root.appendingPathComponent("ACT"), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: root.appendingPathComponent("ACT/\(name)"))
    }

    /// Compares only the start: in the kernel's file each write replaces the contents, but in the plain file of this test the
    /// end of an earlier text may remain.
    private func begins(_ name: String, with text: String) throws -> Bool {
        try String(contentsOf: root.appendingPathComponent("ACT/\(name)"), encoding: .utf8).hasPrefix(text)
    }

    @Test("A kernel light is detached from its trigger and lit fully.")
    func led() throws {
        try write("mmc0", to: "trigger")
        try write("0", to: "brightness")
        try write("255\n", to: "max_brightness")
        let light = LEDIndicator("ACT", root: root.path)
        light.show(isLit: true)
        #expect(light.fault == nil)
        #expect(try begins("trigger", with: "none"))
        #expect(try begins("brightness", with: "255"))
        light.show(isLit: false)
        #expect(try begins("brightness", with: "0"))
    }

    @Test("Closing a kernel light switches it off.")
    func ledEnds() throws {
        try write("0", to: "brightness")
        let light = LEDIndicator("ACT", root: root.path)
        light.show(isLit: true)
        #expect(try begins("brightness", with: "1"))
        light.close(at: .boot, by: .boot)
        #expect(try begins("brightness", with: "0"))
    }

    @Test("A missing kernel light is a fault until it exists.")
    func noLED() throws {
        let light = LEDIndicator("ACT", root: root.path)
        light.show(isLit: true)
        #expect(
            light.fault?.description == "\(root.path)/ACT: the light cannot be switched (No such file or directory). "
                + "Run `ls /sys/class/leds` to list the lights, and check that trackerd's udev rules are installed.")
        try write("0", to: "brightness")
        light.show(isLit: true)
        #expect(light.fault == nil)
    }

    @Test("A light on a line can be switched on and off, and closing it switches it off.")
    func line() {
        let lines = SimulatedLines()
        let wire = LineReference(chip: "pinctrl-lab", line: .offset(22), isActiveLow: true)
        let light = LineIndicator(wire, on: lines)
        #expect(lines.operations == [])
        light.show(isLit: true)
        #expect(!lines.isHigh(wire))
        light.show(isLit: false)
        #expect(lines.isHigh(wire))
        light.show(isLit: true)
        light.close(at: .boot, by: .boot)
        #expect(lines.operations.suffix(2) == [.set(wire, .inactive), .released(wire)])
    }

    @Test("A light on a busy line is a fault until the line is free.")
    func busy() {
        let lines = SimulatedLines()
        let wire = LineReference(chip: "pinctrl-lab", line: .offset(22))
        lines.occupy(wire, by: "lights")
        let light = LineIndicator(wire, on: lines)
        light.show(isLit: true)
        #expect(light.fault as? LineError == .busy(wire, consumer: "lights", program: nil))
        lines.occupy(wire, by: nil)
        light.show(isLit: true)
        #expect(light.fault == nil)
        #expect(lines.isHigh(wire))
    }
}
