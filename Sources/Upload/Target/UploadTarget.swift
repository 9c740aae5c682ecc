package import Delivery
package import Formats
internal import Quantities
package import Tracking
package import TrackingOptions

/// A server that receives the records, with its options; every instance is valid.
package struct UploadTarget: Sendable {
    /// When to compress the bodies of HTTP requests.
    package enum Compression: String, Sendable, CaseIterable {
        /// trackerd compresses bodies only after the server has sent the header `Accept-Encoding: gzip` (RFC 9110,
        /// section 12.5.3).
        case offered
        /// trackerd compresses bodies of 256 bytes or more, unless the server rejects compressed bodies.
        case gzip
        case none
    }

    /// The name that the owner chose; the queue stores the target's cursor under this name.
    package let name: String
    package let address: ServerAddress
    package let format: any UploadFormat
    package let user: String
    package let device: String
    /// OwnTracks' short name of the device, one or two characters.
    package let trackerID: String
    /// The proof of trackerd's identity, and the servers that trackerd trusts.
    package let access: TargetAccess
    /// The proxy; nil means no proxy, regardless of environment variables.
    package let proxy: ProxyAddress?
    package let compression: Compression
    package let syncInterval: Duration
    package let batchSize: Int
    package let order: Delivery.Order
    package let replay: ReplayRule
    package let answer: AnswerRule?
    package let mqtt: MQTTOptions
    /// The base of the target's topics: the topic of the configuration, or the usual topic of the format.
    ///
    /// OwnTracks' messages contain the topic, so the target stores it instead of making it for each message.
    package let baseTopic: String
    package let rules: TargetRules
    /// The permissions of the server to send orders; empty if the target accepts no orders.
    package let control: Set<RemotePermission>
    /// The file with orders that trackerd fetches; nil if there is none.
    package let orders: OrderSource?
    let orderAccess: TargetAccess
    /// The regions that trackerd fetches; nil if it fetches none.
    package let regions: RegionSource?
    let regionAccess: TargetAccess
    package let transport: TransportRow
    package let sender: Sender
    /// trackerd sends nothing to a target that is not complete.
    package var missing: MissingSecret?

    package var acceptsOrders: Bool { !control.isEmpty }

    /// Whether the target's data remain on this computer.
    package var staysHere: Bool { address.staysHere(through: proxy) }

    /// - `trackerID`: nil means the last two characters of `device`.
    /// - `settings`: the format with its settings; nil means the format with the name `format` and its default settings.
    /// - `allowInsecure`: must be true for `http://` and `mqtt://` to another computer.
    package init(
        name: String, url: String, format: String, user: String, device: String, trackerID: String? = nil,
        access: TargetAccess = TargetAccess(), allowInsecure: Bool = false, proxy: String? = nil,
        compression: Compression = .offered, syncInterval: Duration = .zero, batchSize: Int = 100,
        order: Delivery.Order = .liveFirst, replay: ReplayRule = .all, settings: (any UploadFormat)? = nil,
        answer: AnswerRule? = nil, mqtt: MQTTOptions = MQTTOptions(), rules: TargetRules = TargetRules(),
        control: Set<RemotePermission> = [], orders: OrderSource? = nil, regions: RegionSource? = nil
    ) throws(UploadTargetError) {
        let check = TargetCheck(target: name)
        try check.name(name, key: "name")
        address = try check.address(url)
        self.proxy = try check.proxy(proxy)
        transport = try check.transport(address, proxy: self.proxy, allowInsecure: allowInsecure)
        try check.control(control, over: transport, to: address, proxy: self.proxy)
        self.control = control
        let usual = try check.format(format, over: transport)
        self.format = settings ?? usual
        self.answer = answer
        try check.name(user, key: "user")
        try check.name(device, key: "device")
        try check.tokenEndpoint(access.tokenEndpoint, allowInsecure: allowInsecure)
        self.access = try check.access(access, to: address, over: transport)
        orderAccess = try check.orders(orders, of: address, access, control, proxy: self.proxy)
        self.orders = orders
        regionAccess = try check.regions(regions, of: address, access, control, proxy: self.proxy)
        self.regions = regions
        self.compression = compression
        self.trackerID = try check.trackerID(trackerID ?? String(device.suffix(2)))
        try check.range(batchSize, 1...1000, key: "batchSize")
        try check.range(Int(syncInterval.components.seconds), 0...86_400, key: "syncInterval")
        self.mqtt = try check.mqtt(mqtt, over: transport)
        (self.name, self.user, self.device) = (name, user, device)
        baseTopic = mqtt.baseTopic(usual: self.format.usualTopic, values: [user, device, self.trackerID])
        sender = Sender(
            target: name, user: user, device: device, trackerID: self.trackerID, topic: baseTopic, path: address.path,
            acceptsOrders: !control.isEmpty)
        (self.syncInterval, self.batchSize, self.rules) = (syncInterval, batchSize, rules)
        // A receiver that stores only the last state shows the last record that it has received as the present state.
        self.order = self.format.isStateOnly ? .oldestFirst : order
        self.replay = rules.replay ?? replay
    }
}

extension UploadTarget {
    /// The client id; the broker ends an older connection with the same client id.
    package var clientID: String { mqtt.clientID ?? "trackerd-\(user)-\(device)-\(name)".lowercased() }

    /// Returns whether both targets have the same broker and client id; if so, the broker would end one of their connections.
    package func sharesClientID(with other: UploadTarget) -> Bool {
        let isSameBroker = address.host == other.address.host && address.port == other.address.port
        return transport.kind == .mqtt && other.transport.kind == .mqtt && isSameBroker && clientID == other.clientID
    }

    package var orderTopic: String { baseTopic + "/cmd" }
}

/// Secrets or certificates of a target that trackerd cannot read; the target waits until it can.
package struct MissingSecret: Sendable {
    /// What is missing, as a clause.
    package let reason: String
    /// The files to read; nil if something is missing that cannot appear while the program runs, such as a variable.
    package let files: [String]?
    package var retry: @Sendable () -> UploadTarget?

    package init(
        reason: String, files: [String]?, retry: @escaping @Sendable () -> UploadTarget? = { nil }
    ) {
        (self.reason, self.files, self.retry) = (reason, files, retry)
    }
}

/// The records that a target receives, and the networks over which trackerd may send them.
package struct TargetRules: Sendable, Hashable {
    package var filter: RecordFilter
    /// The missed records that the target receives later; nil means that the option `replay` applies.
    package var replay: ReplayRule?
    package var network: NetworkPolicy
    /// The maximum number of bytes that the connections to the server may carry in a calendar month in UTC; nil means no limit.
    package var monthlyBytes: Int64?

    package init(
        filter: RecordFilter = RecordFilter(), replay: ReplayRule? = nil, network: NetworkPolicy = NetworkPolicy(),
        monthlyBytes: Int64? = nil
    ) {
        (self.filter, self.replay, self.network, self.monthlyBytes) = (filter, replay, network, monthlyBytes)
    }
}
