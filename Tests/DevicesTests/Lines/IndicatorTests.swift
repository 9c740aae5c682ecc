import Devices
import Foundation
import Hardware
import TestSupport
import Testing

@Suite("A light")
final class IndicatorTests {
    private let root = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    deinit { try? FileManager.default.removeItem(at: root) }

    private func write(_ text: String, to name: String) throws {
        try FileManager.default.createDirectory(
            at: root.appendingPathComponent("ACT"), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: root.appendingPathComponent("ACT/\(name)"))
    }

    /// What the file begins with: a real one takes each writing as a whole.
    private func begins(_ name: String, with text: String) throws -> Bool {
        try String(contentsOf: root.appendingPathComponent("ACT/\(name)"), encoding: .utf8).hasPrefix(text)
    }

    @Test("of the kernel is taken from its trigger, and is lit fully")
    func led() throws {
        try write("mmc0", to: "trigger")
        try write("0", to: "brightness")
        try write("255\n", to: "max_brightness")
        let light = LEDIndicator("ACT", root: root.path)
        light.show(isLit: true)
        #expect(light.complaint == nil)
        #expect(try begins("trigger", with: "none"))
        #expect(try begins("brightness", with: "255"))
        light.show(isLit: false)
        #expect(try begins("brightness", with: "0"))
    }

    @Test("of the kernel is put out when it is let go of")
    func ledEnds() throws {
        try write("0", to: "brightness")
        var light: LEDIndicator? = LEDIndicator("ACT", root: root.path)
        light?.show(isLit: true)
        #expect(try begins("brightness", with: "1"))
        light = nil
        #expect(try begins("brightness", with: "0"))
    }

    @Test("of the kernel that is not there is told of, and works when it comes")
    func noLED() throws {
        let light = LEDIndicator("ACT", root: root.path)
        light.show(isLit: true)
        #expect(
            light.complaint == "\(root.path)/ACT: cannot be switched (No such file or directory). "
                + "See what `ls /sys/class/leds` lists, and whether trackerd's udev rules are installed.")
        try write("0", to: "brightness")
        light.show(isLit: true)
        #expect(light.complaint == nil)
    }

    @Test("on a line is lit, put out, and put out at the end")
    func line() {
        let lines = SimulatedLines()
        let wire = LineReference(chip: "pinctrl-lab", line: .offset(22), isActiveLow: true)
        var light: LineIndicator? = LineIndicator(wire, on: lines)
        #expect(lines.operations == [])
        light?.show(isLit: true)
        #expect(!lines.isHigh(wire))
        light?.show(isLit: false)
        #expect(lines.isHigh(wire))
        light?.show(isLit: true)
        light = nil
        #expect(lines.operations.suffix(2) == [.set(wire, .inactive), .released(wire)])
    }

    @Test("on a line that is held by somebody else is told of, and works when the line is free")
    func busy() {
        let lines = SimulatedLines()
        let wire = LineReference(chip: "pinctrl-lab", line: .offset(22))
        lines.occupy(wire, by: "lights")
        let light = LineIndicator(wire, on: lines)
        light.show(isLit: true)
        #expect(light.complaint?.contains("`lights`") == true)
        lines.occupy(wire, by: nil)
        light.show(isLit: true)
        #expect(light.complaint == nil)
        #expect(lines.isHigh(wire))
    }
}
