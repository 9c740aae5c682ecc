import Tracking
package import TrackingOptions

/// A server that gets the records, and how it wants them; valid by construction.
package struct UploadTarget: Sendable {
    /// Which record goes first when several wait.
    package enum Order: String, Sendable, CaseIterable {
        /// The newest one, then the backlog from its old end.
        case liveFirst
        /// Always the oldest one.
        case oldestFirst
    }

    /// User and password.
    package struct Login: Sendable, Hashable {
        /// The name.
        package let username: String
        /// The password; empty when the server wants none.
        package let password: Secret
    }

    /// The name that the owner gave it; the queue keeps a cursor under this name.
    package let name: String
    /// Where the server is.
    package let address: ServerAddress
    /// How records are written for it.
    package let format: any UploadFormat
    /// The user that the records belong to.
    package let user: String
    /// The device that the records belong to.
    package let device: String
    /// OwnTracks' short name of the device, one or two characters.
    package let trackerID: String
    /// What the server asks for before it takes anything.
    package let login: Login?
    /// A file with the certificates to believe, instead of those of the system.
    package let caFile: String?
    /// The proxy through which the server is reached; nil for none, whatever the environment says.
    package let proxy: ProxyAddress?
    /// An upload begins at most this often.
    package let syncInterval: Duration
    /// The most records that go into one request.
    package let batchSize: Int
    /// Which record goes first.
    package let order: Order

    /// Which records that could not be delivered at once are delivered later.
    package let replay: ReplayRule

    /// How the server is reached.
    package let transport: TransportRow

    /// Checks a target as an owner writes it down.
    ///
    /// - `trackerID`: the last two characters of `device` when left out.
    /// - `allowInsecure`: must be true for `http://` and `mqtt://` to any other machine.
    package init(
        name: String, url: String, format: String, user: String, device: String, trackerID: String? = nil,
        username: String? = nil, password: String? = nil, allowInsecure: Bool = false, caFile: String? = nil,
        proxy: String? = nil,
        syncInterval: Duration = .zero, batchSize: Int = 100, order: Order = .liveFirst,
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
