import Foundation
import Hardware
import Testing

@testable import Devices

@Suite("Examining the system for power saving")
struct SystemProbeTests {
    @Test("Combined options of gpsd are separated; values and long options stay whole.")
    func options() {
        let options = SystemFileProbe.options(in: ["-nG", "-F", "/run/gpsd.sock", "--listenany", "/dev/gps0"])
        #expect(options == ["-n", "-G", "-F", "/run/gpsd.sock", "--listenany", "/dev/gps0"])
    }

    @Test("The settings of the boot loader are read without sections and comments.")
    func settings() {
        let text = "[all]\nBOOT_UART=0\n# WAKE_ON_GPIO=0\nWAKE_ON_GPIO=1\nPOWER_OFF_ON_HALT=0\n"
        #expect(
            SystemFileProbe.settings(in: text) == ["BOOT_UART": "0", "WAKE_ON_GPIO": "1", "POWER_OFF_ON_HALT": "0"])
    }

    @Test("The probe reports an existing file as usable, and a missing file as missing.")
    func files() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data("0".utf8).write(to: file)
        #expect(SystemFileProbe().file(file.path) == .usable)
        #expect(SystemFileProbe().file(file.path + ".absent") == .missing)
    }
}
