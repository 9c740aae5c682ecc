import Devices
import Testing

@Suite("What is said about a gpsd that does not do what it is told")
struct GpsdControlTroubleTests {
    @Test("names the socket, the trouble and the remedy", arguments: wordings)
    func wording(trouble: GpsdControlTrouble, text: String) {
        #expect(trouble.description == text)
    }

    static let wordings: [(GpsdControlTrouble, String)] = [
        (
            .absent("/run/gpsd.sock", reason: "Permission denied"),
            "/run/gpsd.sock: gpsd cannot be told of its device (Permission denied). "
                + "Let gpsd run with `-F /run/gpsd.sock`, readable by trackerd."
        ),
        (.silent("/run/gpsd.sock"), "/run/gpsd.sock: gpsd does not answer. See `journalctl -u gpsd`."),
        (
            .refused("/run/gpsd.sock", device: "/dev/gps0"),
            "/run/gpsd.sock: gpsd cannot send to /dev/gps0. "
                + "Let it run with `-n` and without `-b`, and see what it lists there."
        ),
    ]
}
