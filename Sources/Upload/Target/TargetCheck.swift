internal import Formats
internal import Quantities
internal import Tracking

/// The rules for a target's configuration, with one function per rule.
struct TargetCheck {
    let target: String

    /// A name is part of topics and header lines, so it has neither separators, wildcards nor control characters.
    func name(_ text: String, key: String) throws(UploadTargetError) {
        guard !text.isEmpty else {
            throw fault(key, "is empty", "Write a name such as `van1`.")
        }
        guard ![".", ".."].contains(text) else {
            throw fault(key, "is `\(text)`, which names a folder", "Write a name such as `van1`.")
        }
        guard !text.utf8.contains(where: { $0 < 32 || $0 == 127 || "/+#".utf8.contains($0) }) else {
            throw fault(key, "contains a control character or one of / + #", "Use letters, digits, `-` and `_`.")
        }
        if let reason = text.nameFault { throw fault(key, reason, "Use letters, digits, `-` and `_`.") }
    }

    func address(_ url: String) throws(UploadTargetError) -> ServerAddress {
        do throws(ServerAddressError) {
            return try ServerAddress(url)
        } catch {
            switch error {
            case .malformed:
                throw fault(
                    "url", "is not of the form scheme://host", "Write a URL such as `https://track.example.net/pub`.")
            case .wrongPort(let port):
                throw fault(
                    "url", "has the port `\(port.printable(limit: 20))`",
                    "Write a port from 1 to 65535, or leave it out.")
            case .containsCredentials:
                throw fault("url", "contains a user or a password", "Write them under `username` and `password`.")
            }
        }
    }

    func proxy(_ url: String?) throws(UploadTargetError) -> ProxyAddress? {
        guard let url else { return nil }
        guard let proxy = ProxyAddress(url) else {
            // The message does not quote the URL, which may contain a password.
            let known = ProxyAddress.schemes.map { "\($0)://" }.joined(separator: ", ")
            throw fault(
                "proxy", "is not of the form scheme://host:port",
                "Write a URL such as `http://proxy.example.net:3128`; the schemes are \(known).")
        }
        return proxy
    }

    func transport(
        _ address: ServerAddress, proxy: ProxyAddress?, allowInsecure: Bool
    ) throws(UploadTargetError) -> TransportRow {
        guard !["ws", "wss"].contains(address.scheme) else {
            throw fault(
                "url", "has the scheme `\(address.scheme)`, but libmosquitto 2.0 does not support websockets",
                "Use mqtts:// and the broker's port for MQTT, usually 8883.")
        }
        guard let row = TransportCatalogue.row(forScheme: address.scheme) else {
            let known = TransportCatalogue.rows.flatMap(\.schemes).joined(separator: ", ")
            throw fault("url", "has the unknown scheme `\(address.scheme)`", "Use one of \(known).")
        }
        guard proxy == nil || row.kind == .http else {
            throw fault(
                "proxy", "cannot be used with \(row.name)",
                "Leave it out, or send to an `http://` or `https://` server.")
        }
        guard row.secureSchemes.contains(address.scheme) || address.staysHere(through: proxy) || allowInsecure else {
            let secure = row.secureSchemes.joined(separator: ", ")
            throw fault(
                "url", "sends positions and passwords unencrypted over the network",
                "Use \(secure)://, or write `allowInsecure: true` if you accept that.")
        }
        guard row.takesPath || ["", "/"].contains(address.path) else {
            throw fault("url", "has a path, but \(row.name) uses none", "Leave out the part after the host.")
        }
        return row
    }

    func format(_ name: String, over transport: TransportRow) throws(UploadTargetError) -> any UploadFormat {
        guard let format = FormatCatalogue.format(named: name) else {
            let known = FormatCatalogue.all.map(\.name).joined(separator: ", ")
            throw fault("format", "is `\(name)`, which does not exist", "Use one of \(known).")
        }
        guard format.transports.contains(transport.kind) else {
            let able = FormatCatalogue.all.filter { $0.transports.contains(transport.kind) }.map(\.name)
            throw fault(
                "format", "is `\(name)`, which cannot be sent over \(transport.name)",
                "Use \(able.joined(separator: ", ")), or another `url`.")
        }
        return format
    }

    /// Throws if orders would be unencrypted: they need TLS or a server on this computer, even if uploads may be
    /// unencrypted.
    func control(
        _ control: Set<RemotePermission>, over transport: TransportRow, to address: ServerAddress, proxy: ProxyAddress?
    ) throws(UploadTargetError) {
        let isSafe = transport.secureSchemes.contains(address.scheme) || address.staysHere(through: proxy)
        guard control.isEmpty || isSafe else {
            let secure = transport.secureSchemes.joined(separator: ", ")
            throw fault(
                "control", "is set, but anybody in the network could send orders over this unencrypted connection",
                "Use \(secure)://, or leave `control` out.")
        }
    }

    func trackerID(_ text: String) throws(UploadTargetError) -> String {
        guard (1...2).contains(text.count) else {
            throw fault("tid", "is not one or two characters long", "Write a short name such as `V1`.")
        }
        return text
    }

    func range(_ value: Int, _ range: ClosedRange<Int>, key: String) throws(UploadTargetError) {
        guard range.contains(value) else {
            throw fault(key, "is \(value)", "Write a number from \(range.lowerBound) to \(range.upperBound).")
        }
    }

    /// A broker disconnects a client that publishes to an invalid topic.
    func mqtt(_ options: MQTTOptions, over transport: TransportRow) throws(UploadTargetError) -> MQTTOptions {
        guard transport.kind == .mqtt || options.isEmpty else {
            let keys = [("topic", options.topic != nil), ("clientId", options.clientID != nil)]
            let key = keys.first { $0.1 }?.0 ?? "idleDisconnect"
            throw fault(key, "is only for MQTT", "Leave it out, or send to an `mqtts://` broker.")
        }
        if let topic = options.topic { try self.topic(topic) }
        guard let id = options.clientID else { return options }
        // MQTT 5, section 1.5.4: a text has at most 65,535 bytes; the brokers themselves have lower limits.
        guard !id.isEmpty, id.utf8.count <= 256, id.nameFault == nil else {
            throw fault(
                "clientId", "is empty, too long, or contains a control character", "Use letters, digits and `-`.")
        }
        return options
    }

    private func topic(_ topic: String) throws(UploadTargetError) {
        let example = "Write a topic such as `vehicles/{device}`; trackerd replaces {user}, {device} and {tid}."
        guard !topic.isEmpty, topic.utf8.count <= 256, topic.nameFault == nil,
            !topic.utf8.contains(where: { "+#".utf8.contains($0) })
        else {
            throw fault("topic", "is empty, too long, or contains +, # or a control character", example)
        }
        guard !topic.hasPrefix("$"), !topic.hasPrefix("/"), !topic.hasSuffix("/"), !topic.contains("//") else {
            throw fault("topic", "begins with `$`, begins or ends with `/`, or contains `//`", example)
        }
        let rest = MQTTOptions.placeholders.reduce(topic) { $0.replacing($1, with: "") }
        guard !rest.contains(where: { "{}".contains($0) }) else {
            throw fault("topic", "contains an unknown placeholder", example)
        }
    }

    func fault(_ key: String, _ fault: String, _ remedy: String) -> UploadTargetError {
        UploadTargetError(target: target, key: key, fault: fault, remedy: remedy)
    }
}

package struct UploadTargetError: Error, Sendable, Hashable, CustomStringConvertible {
    package let target: String
    package let key: String
    /// The text never quotes a secret.
    package let fault: String
    package let remedy: String

    package var description: String { "upload target `\(target.printable())`: `\(key)` \(fault). \(remedy)" }
}
