package import Delivery
package import Formats
internal import Quantities
package import Tracking
package import TrackingOptions

/// A checked target: every instance is valid.
package struct UploadTarget: Sendable {
    package enum Compression: String, Sendable, CaseIterable {
        /// Compresses after the server has sent `Accept-Encoding: gzip` (RFC 9110, section 12.5.3).
        case offered
        /// Compresses from the start, until the server rejects compressed bodies.
        case gzip
        case none
    }

    /// Chosen by the owner; the queue keeps the target's cursor under this name.
    package let name: String
    package let address: ServerAddress
    package let format: any UploadFormat
    package let user: String
    package let device: String
    /// One or two characters.
    package let trackerID: String
    package let access: TargetAccess
    /// Nil means no proxy, whatever the environment contains.
    package let proxy: ProxyAddress?
    package let compression: Compression
    package let syncInterval: Duration
    package let batchSize: Int
    package let order: Delivery.Order
    package let replay: ReplayRule
    package let answer: AnswerRule?
    package let mqtt: MQTTOptions
    /// The topic from the configuration, or that of the format. OwnTracks' messages contain it, so it is made once.
    package let baseTopic: String
    package let rules: TargetRules
    /// What the server has permission to order; empty permits no orders.
    package let control: Set<RemotePermission>
    package let orders: OrderSource?
    let orderAccess: TargetAccess
    package let regions: RegionSource?
    let regionAccess: TargetAccess
    package let transport: TransportRow
    package let sender: Sender
    /// Nothing is sent while a secret is missing.
    package var missing: MissingSecret?

    package var acceptsOrders: Bool { !control.isEmpty }

    package var staysHere: Bool { address.staysHere(through: proxy) }

    /// A nil `trackerID` means the last two characters of `device`, and nil `settings` mean the defaults of `format`.
    /// `allowInsecure` is needed for `http://` and `mqtt://` to another computer.
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
        // A server that stores only the last state shows the last record that it has received as the present state, so
        // the oldest record goes first.
        self.order = self.format.isStateOnly ? .oldestFirst : order
        self.replay = rules.replay ?? replay
    }
}

extension UploadTarget {
    /// The broker ends an older connection with the same ID.
    package var clientID: String { mqtt.clientID ?? "trackerd-\(user)-\(device)-\(name)".lowercased() }

    /// True if both connect to one broker with the same client ID, so that it would end one of the connections.
    package func sharesClientID(with other: UploadTarget) -> Bool {
        let isSameBroker = address.host == other.address.host && address.port == other.address.port
        return transport.kind == .mqtt && other.transport.kind == .mqtt && isSameBroker && clientID == other.clientID
    }

    package var orderTopic: String { baseTopic + "/cmd" }
}

/// The target waits until its secrets can be read.
package struct MissingSecret: Sendable {
    /// The reason as a clause of a sentence.
    package let reason: String
    /// The files to wait for; nil if the secret cannot appear while the program runs, as in a variable.
    package let files: [String]?
    package var retry: @Sendable () -> UploadTarget?

    package init(reason: String, files: [String]?, retry: @escaping @Sendable () -> UploadTarget? = { nil }) {
        (self.reason, self.files, self.retry) = (reason, files, retry)
    }
}

package struct TargetRules: Sendable, Hashable {
    package var filter: RecordFilter
    /// Nil means that the option `replay` applies.
    package var replay: ReplayRule?
    package var network: NetworkPolicy
    /// The budget for a calendar month in UTC.
    package var monthlyBytes: Int64?

    package init(
        filter: RecordFilter = RecordFilter(), replay: ReplayRule? = nil, network: NetworkPolicy = NetworkPolicy(),
        monthlyBytes: Int64? = nil
    ) {
        (self.filter, self.replay, self.network, self.monthlyBytes) = (filter, replay, network, monthlyBytes)
    }
}
