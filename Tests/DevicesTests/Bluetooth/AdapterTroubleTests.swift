import Hardware
import Testing

@Suite("What is said about a Bluetooth adapter that does not listen")
struct AdapterTroubleTests {
    @Test("names the adapter, the trouble and the remedy", arguments: wordings)
    func wording(trouble: AdapterTrouble, text: String) {
        #expect(trouble.text(adapter: "hci0") == "hci0: " + text)
    }

    static let wordings: [(AdapterTrouble, String)] = [
        (.absent, "there is no such Bluetooth adapter. See which ones there are with `bluetoothctl list`."),
        (.blocked, "switched off by rfkill. Switch it on with `rfkill unblock bluetooth`."),
        (
            .notPermitted,
            "CAP_NET_RAW and CAP_NET_ADMIN are needed to scan. Start trackerd by its systemd unit, or use `setcap`."
        ),
        (.taken, "another program has the adapter for itself. End that program."),
        (
            .noLowEnergy,
            "an adapter without Bluetooth Low Energy, which hears no beacons. Use one of Bluetooth 4.0 or later."
        ),
        (
            .down,
            "was switched off, and is switched on again. If it keeps going off, see `journalctl -u bluetooth`."
        ),
        (.unplugged, "was unplugged, or reset itself. Beacons are heard again when it is back."),
        (
            .silent,
            "does not answer. If it stays so, unplug it or restart the computer; `dmesg` may tell more."
        ),
        (
            .shared,
            "another program scans too; beacons are heard as its settings allow. "
                + "End its scan, such as with `bluetoothctl scan off`."
        ),
        (.refused(status: 17), "refuses to scan for beacons (HCI status 17). Try another adapter."),
        (.failed(reason: "Cannot allocate memory"), "cannot be used (Cannot allocate memory). See `dmesg`."),
    ]
}
