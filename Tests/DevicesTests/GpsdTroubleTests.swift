import Devices
import Hardware
import Testing

@Suite("What is said about a gpsd that does not report")
struct GpsdTroubleTests {
    @Test("names the place, the trouble and the remedy", arguments: wordings)
    func wording(trouble: GpsdTrouble, text: String) {
        #expect(trouble.description == text)
    }

    static let wordings: [(GpsdTrouble, String)] = [
        (
            .unreachable(GpsdAddress(), reason: "can't get host entry"),
            "gpsd at localhost:2947: cannot be connected to (can't get host entry). "
                + "Check that it runs: `systemctl status gpsd.socket`."
        ),
        (
            .closed(GpsdAddress(host: "car", port: 3000)),
            "gpsd at car:3000: closed the connection. If it keeps doing so, see `journalctl -u gpsd`."
        ),
        (
            .overlong(GpsdAddress()),
            "gpsd at localhost:2947: sends a line of more than 64 KiB, as gpsd never does. "
                + "Check what listens there: `ss -ltnp`."
        ),
        (
            .silent(GpsdAddress()),
            "gpsd at localhost:2947: no report of any receiver for a minute. See what `gpspipe -w` shows."
        ),
        (
            .silent(GpsdAddress(device: "/dev/gps0")),
            "gpsd at localhost:2947: no report of /dev/gps0 for a minute. See what `gpspipe -w` shows."
        ),
    ]
}
