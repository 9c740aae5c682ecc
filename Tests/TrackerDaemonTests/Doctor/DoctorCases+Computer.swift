@testable import Configuration
@testable import Doctor
import Formats
import Hardware
import Quantities
import TrackingOptions
@testable import Upload

extension DoctorCase {
    static let bluetooth = [
        DoctorCase(
            "no Bluetooth adapter", "bluetooth", "hci0 does not exist; this computer has no Bluetooth adapter.",
            remedy:
                "Remove `dtoverlay=disable-bt` from config.txt, plug an adapter in, or write `board: {base: van, bluetooth: none}`."
        ) { $0.adapter = .absent(others: []) },
        DoctorCase(
            "another Bluetooth adapter", "bluetooth", "hci0 does not exist; this computer has only hci1.",
            remedy:
                "Remove `dtoverlay=disable-bt` from config.txt, plug an adapter in, or write `board: {base: van, bluetooth: none}`."
        ) { $0.adapter = .absent(others: [1]) },
        DoctorCase(
            "an adapter that is down", "bluetooth", grade: .warning,
            "hci0 is down.",
            remedy:
                "Run `sudo systemctl start trackerd-bluetooth@hci0`; the drop-in `bluetooth.conf` makes the daemon do this too. If the adapter goes down again, see `journalctl -u bluetooth`."
        ) { $0.adapter = .down },
        DoctorCase(
            "an adapter that another program has", "bluetooth", "another program uses hci0 exclusively.",
            remedy: "End that program."
        ) { $0.adapter = .taken },
        DoctorCase(
            "an adapter without Low Energy", "bluetooth",
            "hci0 does not support Bluetooth Low Energy, which beacons need.",
            remedy: "Use an adapter of Bluetooth 4.0 or later."
        ) { $0.adapter = .noLowEnergy },
        DoctorCase(
            "an adapter that cannot be examined", "bluetooth", "the doctor cannot examine hci0.",
            remedy: "Check `sudo dmesg` for messages about the adapter."
        ) { $0.adapter = .failing },
        DoctorCase(
            "an adapter that rfkill has off", "bluetooth", "hci0 is switched off by rfkill.",
            remedy: "Run `sudo rfkill unblock bluetooth`."
        ) { $0.adapter = .blocked(isHard: false) },
        DoctorCase(
            "an adapter that a switch has off", "bluetooth", "hci0 is switched off by a hardware switch.",
            remedy: "Turn that switch on."
        ) { $0.adapter = .blocked(isHard: true) },
        DoctorCase(
            "no permission to listen", "bluetooth",
            "the doctor cannot use hci0 without CAP_NET_RAW.",
            remedy:
                "The drop-in `bluetooth.conf` grants this permission to the daemon (docs/install.md). For this check, run `sudo trackerd doctor`."
        ) { $0.adapter = .forbidden(capabilities: ["CAP_NET_RAW"]) },
    ]

    static let computer = [
        DoctorCase(
            "a configuration with a mistake", "configuration",
            "config.yaml:3: `distanceFliter` is not an option. Did you mean `distanceFilter`?",
            remedy: "Correct the file, then run the doctor again."
        ) {
            $0.configuration = .wrong([
                .init(
                    file: "config.yaml", line: 3,
                    text: "`distanceFliter` is not an option. Did you mean `distanceFilter`?")
            ])
        },
        DoctorCase(
            "a model that is not known", "configuration",
            "pi4.yaml:9: `accelerometer.chip` must be one of ADXL345, LIS3DH; `LIS3HD` is not. Did you mean `LIS3DH`?",
            remedy: "Correct the file, then run the doctor again."
        ) {
            let text = "`accelerometer.chip` must be one of ADXL345, LIS3DH; `LIS3HD` is not. Did you mean `LIS3DH`?"
            $0.configuration = .wrong([.init(file: "pi4.yaml", line: 9, text: text)])
        },
        DoctorCase(
            "a configuration without targets", "configuration", grade: .warning,
            "config.yaml contains no target, so trackerd uploads no records.",
            remedy: "Add a target under `targets`, or export the records from this computer."
        ) { $0.configuration = .right(path: "config.yaml", targets: 0, notes: []) },
        DoctorCase(
            "a user who is not in the group", "user", grade: .warning,
            "ada is not in the group trackerd, so this user's commands cannot control the daemon.",
            remedy: "Run `sudo adduser ada trackerd` and log in again."
        ) { $0.user?.isInGroup = false },
        DoctorCase(
            "a database that cannot be written", "database",
            "/var/lib/x.sqlite: cannot be opened (no such folder). Make it.",
            remedy:
                "If the daemon's user cannot use the file either, the daemon records only in memory until you correct the fault. If a newer version wrote the file, the daemon does not start."
        ) { $0.store = .unusable("/var/lib/x.sqlite: cannot be opened (no such folder). Make it.") },
        DoctorCase(
            "a database that is damaged", "database", "/var/lib/x.sqlite: cannot be opened (malformed). It is damaged.",
            remedy:
                "When the daemon finds the damage, at the latest at its next start, it sets the file aside. It then copies the readable records into a new file."
        ) { $0.store = .damaged("/var/lib/x.sqlite: cannot be opened (malformed). It is damaged.") },
        DoctorCase(
            "a full disk", "database", "/var/lib/x.sqlite is writable; the disk has 3 MB left.",
            remedy: "Free some space, for example with `sudo journalctl --vacuum-size=50M` and `sudo apt-get clean`."
        ) { $0.store = .working(path: "/var/lib/x.sqlite", free_bytes: 3_500_000) },
        DoctorCase(
            "a clock that nobody sets", "clock", grade: .warning,
            "the clock is not set, and no fix has provided the time; at the first fix, trackerd corrects the times of earlier records.",
            remedy:
                "Connect to a network, or wait for a fix. To set the computer's clock from the receiver, run `sudo trackerd-clock on`."
        ) { $0.clock = ClockFacts(isSynchronised: false, hasTimeOfFix: false) },
        DoctorCase(
            "a clock that waits for the receiver", "clock", grade: .warning,
            "the clock is not set, and no fix has provided the time; at the first fix, trackerd corrects the times of earlier records.",
            remedy: "Connect to a network, or wait for a fix."
        ) { $0.clock = ClockFacts(isSynchronised: false, hasTimeOfFix: false, isSetByReceiver: true) },
    ]

    static let network = [
        DoctorCase(
            "a name without address", "targets", grade: .warning, "home: trackerd finds no address for track.example.",
            remedy: "Check the spelling, and the network: `ip route` should show a default route."
        ) { $0.targets[0].facts = .noAddress },
        DoctorCase(
            "a server that is down", "targets", grade: .warning,
            "home: track.example is unreachable, or no server listens on this port.",
            remedy: "Check the network and the port in `url`. Check that the server is running."
        ) { $0.targets[0].facts = .unreachable },
        DoctorCase(
            "a server behind a firewall", "targets", grade: .warning, "home: track.example does not answer in time.",
            remedy: "Check the network and the server's firewall."
        ) { $0.targets[0].facts = .timedOut },
        DoctorCase(
            "a certificate of somebody else", "targets", grade: .warning,
            "home: the certificate of track.example is not trusted (self-signed certificate).",
            remedy:
                "Check the clock and the name in `url`; if the server has its own certificate authority, set `caFile`."
        ) { $0.targets[0].facts = .untrusted("self-signed certificate") },
        DoctorCase(
            "a proxy that rejects the password", "targets", grade: .warning,
            "home: the proxy 10.0.0.1 rejects the credentials (status 407).",
            remedy: "Check the network, and the address, the user and the password in `proxy`."
        ) { $0.targets[0].facts = .proxy("the proxy 10.0.0.1 rejects the credentials (status 407)") },
        DoctorCase(
            "a server that speaks something else", "targets", grade: .warning,
            "home: the connection to track.example broke (wrong version number).",
            remedy: "Check that the port matches the scheme."
        ) { $0.targets[0].facts = .broken("wrong version number") },
        DoctorCase(
            "a server that wants a certificate", "targets", grade: .warning,
            "home: the server asks for a client certificate (alert).",
            remedy: "Set `certificateFile` and `keyFile`, or correct the secret."
        ) { $0.targets[0].facts = .unidentified("the server asks for a client certificate (alert)") },
        DoctorCase(
            "a wrong password", "targets", grade: .warning,
            "home: track.example rejects the credentials (status 401).",
            remedy: "Check `username` and the password, or `token`; for status 407, check the credentials in `proxy`."
        ) { $0.targets[0].facts = .answered(.unauthorised(status: 401), after: .zero) },
        DoctorCase(
            "a server that forbids access", "targets", grade: .warning,
            "home: track.example forbids access (status 403).",
            remedy: "Check the credentials and the path in `url`. Check that no firewall blocks this network."
        ) { $0.targets[0].facts = .answered(.forbidden, after: .zero) },
        DoctorCase(
            "a server that moved", "targets", grade: .warning,
            "home: track.example redirects to https://new.example/pub (status 308).",
            remedy: "Write the new address into `url`."
        ) { $0.targets[0].facts = .answered(.redirect(to: "https://new.example/pub", status: 308), after: .zero) },
        DoctorCase(
            "a wrong path", "targets", grade: .warning,
            "home: track.example has no page at this path (status 404).",
            remedy:
                "Check the path in `url`; for the OwnTracks Recorder, the path is `/pub`. Some servers answer a GET with this status, but accept records."
        ) { $0.targets[0].facts = .answered(.notFound(status: 404), after: .zero) },
        DoctorCase(
            "a TLS port without https", "targets", grade: .warning, "home: track.example expects TLS on this port.",
            remedy: "Use https:// in `url`."
        ) { $0.targets[0].facts = .answered(.wantsTLS, after: .zero) },
        DoctorCase(
            "nginx without a client certificate", "targets", grade: .warning,
            "home: track.example expects a client certificate.", remedy: "Set `certificateFile` and `keyFile`."
        ) { $0.targets[0].facts = .answered(.wantsCertificate, after: .zero) },
        DoctorCase(
            "a wrong webhook", "targets", grade: .warning,
            "home: track.example answers like a Home Assistant server without such a webhook.",
            remedy:
                "Check the webhook's ID in `url`; if the ID is wrong, Home Assistant answers 200 but drops the records."
        ) { $0.targets[0].facts = .answered(.unknownWebhook, after: .zero) },
        DoctorCase(
            "a web page", "targets", grade: .warning, "home: track.example answers with a web page (status 200).",
            remedy:
                "Check the path in `url`. The log-in page of a network answers like this too. If your server answers an upload with a page, set `answer: any`."
        ) { $0.targets[0].facts = .answered(.page(status: 200), after: .zero) },
        DoctorCase(
            "a server that is out of order", "targets", grade: .warning,
            "home: track.example reports a server error (status 502).", remedy: "Check the server, or try again later."
        ) { $0.targets[0].facts = .answered(.outOfOrder(status: 502), after: .zero) },
    ]
}
