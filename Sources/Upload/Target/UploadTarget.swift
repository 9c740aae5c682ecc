internal import Quantities
internal import Tracking
package import TrackingOptions

/// A server that gets the records, with the options for it; valid by construction.
package struct UploadTarget: Sendable {
    /// The order in which waiting records are sent.
    package enum Order: String, Sendable, CaseIterable {
        /// The newest one, then the backlog in order.
        case liveFirst
        /// Always in order.
        case oldestFirst
    }

    /// User and password.
    package struct Login: Sendable, Hashable {
        /// The name.
        package let username: String
        /// The password; empty if the server needs none.
        package let password: Secret
    }

    /// The name that the owner chose; the queue stores a cursor under it.
    package let name: String
    /// The server's address.
    package let address: ServerAddress
    /// The format of its payloads.
    package let format: any UploadFormat
    /// The user that the records belong to.
    package let user: String
    /// The device that the records belong to.
    package let device: String
    /// OwnTracks' short name of the device, one or two characters.
    package let trackerID: String
    /// User and password for the server; nil if it needs none.
    package let login: Login?
    /// A file with the certificates to trust instead of the system's.
    package let caFile: String?
    /// The proxy; nil for none, regardless of environment variables.
    package let proxy: ProxyAddress?
    /// The least time between the beginnings of two uploads.
    package let syncInterval: Duration
    /// The most records in one request.
    package let batchSize: Int
    /// The order in which waiting records are sent.
    package let order: Order
    /// Which records are delivered later if they could not be delivered at once.
    package let replay: ReplayRule
    /// The transport to the server.
    package let transport: TransportRow

    /// Checks a target as it stands in the configuration.
    ///
    /// - `trackerID`: nil for the last two characters of `device`.
    /// - `allowInsecure`: must be true for `http://` and `mqtt://` to another machine.
    package init(
        name: String, url: String, format: String, user: String, device: String, trackerID: String? = nil,
        username: String? = nil, password: String? = nil, allowInsecure: Bool = false, caFile: String? = nil,
        proxy: String? = nil, syncInterval: Duration = .zero, batchSize: Int = 100, order: Order = .liveFirst,
        replay: ReplayRule = .all
    ) throws(UploadTargetError) {
        let check = TargetCheck(target: name)
        try check.name(name, key: "name")
        address = try check.address(url)
        self.proxy = try check.proxy(proxy)
        transport = try check.transport(address, proxy: self.proxy, allowInsecure: allowInsecure)
        self.format = try check.format(format, over: transport)
        try check.name(user, key: "user")
        try check.name(device, key: "device")
        login = try check.login(username: username, password: password)
        self.trackerID = try check.trackerID(trackerID ?? String(device.suffix(2)))
        try check.range(batchSize, 1...1000, key: "batchSize")
        try check.range(Int(syncInterval.components.seconds), 0...86_400, key: "syncInterval")
        (self.name, self.user, self.device, self.caFile) = (name, user, device, caFile)
        (self.syncInterval, self.batchSize, self.order, self.replay) = (syncInterval, batchSize, order, replay)
    }
}

/// A target whose configuration is not valid.
package struct UploadTargetError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The target's name.
    package let target: String
    /// The key at fault.
    package let key: String
    /// What is wrong with it; never quotes a secret.
    package let fault: String
    /// What to write instead.
    package let remedy: String

    /// The whole sentence.
    package var description: String { "upload target `\(target.printable())`: `\(key)` \(fault). \(remedy)" }
}

/// A password that cannot be revealed by accident: printing, interpolating or dumping it gives a placeholder.
package struct Secret: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The password itself, for the call that sends it.
    package let revealed: String

    /// Wraps a password.
    package init(_ password: String) { revealed = password }

    /// A placeholder.
    package var description: String { "(secret)" }
    /// A placeholder.
    package var debugDescription: String { description }
    /// Empty.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
