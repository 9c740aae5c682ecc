@testable import Formats
import Foundation
import Testing
import Tracking
@testable import Upload

@Suite("An upload target")
struct UploadTargetTests {
    @Test(
        "The error for an invalid target names the key and the remedy.",
        arguments: [
            (
                Draft(url: "track.example.net"),
                "upload target `home`: `url` is not of the form scheme://host. Write a URL such as `https://track.example.net/pub`."
            ),
            (
                Draft(url: "ftp://track.example.net"),
                "upload target `home`: `url` has the unknown scheme `ftp`. Use one of https, http, mqtts, mqtt."
            ),
            (
                Draft(url: "http://track.example.net/pub"),
                "upload target `home`: `url` sends positions and passwords unencrypted over the network. Use https://, or write `allowInsecure: true` if you accept that."
            ),
            (
                Draft(url: "mqtt://127.evil.net"),
                "upload target `home`: `url` sends positions and passwords unencrypted over the network. Use mqtts://, or write `allowInsecure: true` if you accept that."
            ),
            (
                Draft(url: "mqtt://broker.localhost"),
                "upload target `home`: `url` sends positions and passwords unencrypted over the network. Use mqtts://, or write `allowInsecure: true` if you accept that."
            ),
            (
                Draft(url: "http://track.example.net/pub", allowInsecure: true, control: [.locate]),
                "upload target `home`: `control` is set, but anybody in the network could send orders over this unencrypted connection. Use https://, or leave `control` out."
            ),
            (
                Draft(url: "mqtt://broker.example.net", allowInsecure: true, control: [.locate]),
                "upload target `home`: `control` is set, but anybody in the network could send orders over this unencrypted connection. Use mqtts://, or leave `control` out."
            ),
            (
                Draft(
                    url: "http://127.0.0.1/pub", allowInsecure: true, proxy: "http://proxy.example.net:3128",
                    control: [.locate]),
                "upload target `home`: `control` is set, but anybody in the network could send orders over this unencrypted connection. Use https://, or leave `control` out."
            ),
            (
                Draft(control: [.locate], orders: "http://fleet.example.net/van1.json"),
                "upload target `home`: `orders` has a `url` without encryption, so anybody in the network could send orders. Use https://."
            ),
            (
                Draft(orders: "https://fleet.example.net/van1.json"),
                "upload target `home`: `orders` is set, but `control` permits no orders. List the permitted orders under `control`."
            ),
            (
                Draft(control: [.locate], orders: "file:///etc/passwd"),
                "upload target `home`: `orders` has a `url` that is not the address of a file on a web server. Write a URL such as `https://fleet.example.net/van1.json`."
            ),
            (
                Draft(url: "http://127.0.0.1/pub", proxy: "http://proxy.example.net:3128"),
                "upload target `home`: `url` sends positions and passwords unencrypted over the network. Use https://, or write `allowInsecure: true` if you accept that."
            ),
            (
                Draft(url: "mqtts://track.example.net", proxy: "socks5h://127.0.0.1:1080"),
                "upload target `home`: `proxy` cannot be used with MQTT. Leave it out, or send to an `http://` or `https://` server."
            ),
            (
                Draft(url: "wss://broker.example.net"),
                "upload target `home`: `url` has the scheme `wss`, but libmosquitto 2.0 does not support websockets. Use mqtts:// and the broker's port for MQTT, usually 8883."
            ),
            (
                Draft(url: "ws://127.0.0.1:9001/mqtt"),
                "upload target `home`: `url` has the scheme `ws`, but libmosquitto 2.0 does not support websockets. Use mqtts:// and the broker's port for MQTT, usually 8883."
            ),
            (
                Draft(proxy: "socks4://127.0.0.1:1080"),
                "upload target `home`: `proxy` is not of the form scheme://host:port. Write a URL such as `http://proxy.example.net:3128`; the schemes are http://, https://, socks5h://."
            ),
            (
                Draft(url: "https://me:secret@track.example.net"),
                "upload target `home`: `url` contains a user or a password. Write them under `username` and `password`."
            ),
            (
                Draft(url: "mqtts://track.example.net/owntracks"),
                "upload target `home`: `url` has a path, but MQTT uses none. Leave out the part after the host."
            ),
            (
                Draft(format: "nmea"),
                "upload target `home`: `format` is `nmea`, which does not exist. Use one of owntracks, geojson, traccar, overland, transistor, template, homeassistant."
            ),
            (
                Draft(url: "mqtts://track.example.net", format: "geojson"),
                "upload target `home`: `format` is `geojson`, which cannot be sent over MQTT. Use owntracks, homeassistant, or another `url`."
            ),
            (Draft(user: ""), "upload target `home`: `user` is empty. Write a name such as `van1`."),
            (
                Draft(device: "van/+"),
                "upload target `home`: `device` contains a control character or one of / + #. Use letters, digits, `-` and `_`."
            ),
            (
                Draft(device: "van1\r\nX-Evil: 1"),
                "upload target `home`: `device` contains a control character or one of / + #. Use letters, digits, `-` and `_`."
            ),
            (
                Draft(trackerID: "VAN"),
                "upload target `home`: `tid` is not one or two characters long. Write a short name such as `V1`."
            ),
            (
                Draft(password: "hunter2"),
                "upload target `home`: `password` is set without `username`. Write the name under `username`."
            ),
            (
                Draft(username: "me", password: "hunter2\n"),
                "upload target `home`: `password` contains a control character. Check for a line break at its end."
            ),
            (Draft(batchSize: 0), "upload target `home`: `batchSize` is 0. Write a number from 1 to 1000."),
            (Draft(syncInterval: -1), "upload target `home`: `syncInterval` is -1. Write a number from 0 to 86400."),
        ])
    func refused(draft: Draft, message: String) {
        #expect { try draft.target() } throws: { "\($0)" == message }
    }

    @Test(
        "A valid URL is accepted.",
        arguments: [
            "https://track.example.net:8443/pub?u=a", "http://localhost:8083/pub", "http://127.0.0.1/",
            "HTTP://[::1]:80/x", "mqtts://broker.example.net", "mqtt://127.0.0.1:1883", "mqtt://localhost/",
        ])
    func accepted(url: String) throws {
        _ = try Draft(url: url).target()
    }

    @Test("Unencrypted uploads are possible with `allowInsecure`.")
    func insecure() throws {
        _ = try Draft(url: "http://track.example.net", allowInsecure: true).target()
    }

    @Test("The file with orders is requested with the target's secrets only if it is on the same server.")
    func orderAccess() throws {
        let same = "https://track.example.net/orders/van1.json"
        for (url, isKnown) in [
            (same, true), ("https://fleet.example.net/a", false), ("https://track.example.net:444/a", false),
        ] {
            let target = try Draft(username: "me", password: "hunter2", control: [.locate], orders: url).target()
            #expect((target.orderAccess.login != nil) == isKnown, "\(url)")
        }
    }

    @Test("The tracker ID defaults to the end of the device's name.")
    func trackerID() throws {
        #expect(try Draft(trackerID: nil).target().trackerID == "n1")
    }

    @Test("A target never prints its password.")
    func secret() throws {
        let target = try Draft(username: "me", password: "hunter2").target()
        var dumped = ""
        dump(target, to: &dumped)
        #expect(try target.access.login?.password.read().revealed == "hunter2")
        for text in ["\(target)", String(reflecting: target), dumped] { #expect(!text.contains("hunter2")) }
    }

    @Test("A target never prints the password of its proxy.")
    func proxySecret() throws {
        let target = try Draft(proxy: "https://me:hunter2@[::1]:3128").target()
        var dumped = ""
        dump(target, to: &dumped)
        #expect(target.proxy?.description == "https://[::1]:3128")
        #expect(target.proxy?.revealed == "https://me:hunter2@[::1]:3128")
        for text in ["\(target)", String(reflecting: target), dumped] { #expect(!text.contains("hunter2")) }
    }

    struct Draft: Sendable, CustomTestStringConvertible {
        var url = "https://track.example.net/pub"
        var format = "owntracks"
        var user = "fleet"
        var device = "van1"
        var trackerID: String? = "V1"
        var username: String?
        var password: String?
        var allowInsecure = false
        var proxy: String?
        var syncInterval = 0
        var batchSize = 100
        var control: Set<RemotePermission> = []
        var orders: String?

        var testDescription: String { "\(url) \(format)" }

        func target() throws -> UploadTarget {
            try UploadTarget(
                name: "home", url: url, format: format, user: user, device: device, trackerID: trackerID,
                access: TargetAccess(username: username, password: password.map { SecretSource($0) }),
                allowInsecure: allowInsecure, proxy: proxy,
                syncInterval: .seconds(syncInterval), batchSize: batchSize, control: control,
                orders: orders.map { OrderSource(url: $0) })
        }
    }
}

@Suite("The catalogues")
struct CatalogueTests {
    @Test("The catalogue of formats lists every file of Formats.")
    func formats() throws {
        let rows = FormatCatalogue.all.map { "\(type(of: $0)).swift" }
        #expect(try names(in: "Formats").filter { $0.hasSuffix(".swift") } == Set(rows + ["FormatCatalogue.swift"]))
    }

    @Test(
        "The catalogue of transports lists every folder of Upload with a transport, and the protocol has a folder too.")
    func transports() throws {
        let folders = try names(in: "Upload").filter { folder in
            try !folder.hasSuffix(".swift") && names(in: "Upload/\(folder)").contains("\(folder).swift")
        }
        #expect(folders == Set(TransportCatalogue.rows.map(\.name) + ["Transport"]))
    }

    @Test("No name or scheme occurs twice in the catalogues.")
    func unique() {
        let names = FormatCatalogue.all.map(\.name)
        let schemes = TransportCatalogue.rows.flatMap(\.schemes)
        #expect(Set(names).count == names.count)
        #expect(Set(schemes).count == schemes.count)
    }

    private func names(in folder: String) throws -> Set<String> {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let path = root.appendingPathComponent("Sources/\(folder)").path
        return Set(try FileManager.default.contentsOfDirectory(atPath: path))
    }
}
