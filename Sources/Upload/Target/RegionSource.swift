internal import JSON
internal import Quantities
internal import Tracking

/// A list of regions that trackerd fetches at an interval.
package struct RegionSource: Sendable, Hashable {
    /// The placeholders of the address: the position in degrees, and the limit of watched regions.
    package static let placeholders = ["{latitude}", "{longitude}", "{limit}"]

    /// May contain placeholders only after the host.
    package let url: String
    package let interval: Duration

    package init(url: String, interval: Duration = .seconds(3600)) {
        (self.url, self.interval) = (url, interval)
    }

    /// Nil if the address contains the position, but `query` has none. Positions have 4 decimals, about 10 m.
    func url(for query: RegionQuery) -> String? {
        let values = [
            query.place.map { DecimalText.fixed($0.latitude, decimals: 4) },
            query.place.map { DecimalText.fixed($0.longitude, decimals: 4) }, "\(query.limit)",
        ]
        var url = url
        for (placeholder, value) in zip(Self.placeholders, values) where url.contains(placeholder) {
            guard let value else { return nil }
            url = url.replacing(placeholder, with: value)
        }
        return url
    }
}

extension TargetCheck {
    func regions(
        _ source: RegionSource?, of server: ServerAddress, _ access: TargetAccess, _ control: Set<RemotePermission>,
        proxy: ProxyAddress?
    ) throws(UploadTargetError) -> TargetAccess {
        guard let source else { return TargetAccess() }
        guard control.contains(.regions) else {
            throw fault(
                "regions", "is set, but `control` does not permit regions", "Write `control: [regions]` in the target.")
        }
        let filled = RegionSource.placeholders.reduce(source.url) { $0.replacing($1, with: "1") }
        guard !filled.contains(where: { "{}".contains($0) }) else {
            throw fault(
                "regions", "has a `url` with an unknown placeholder",
                "Use \(RegionSource.placeholders.map { "`\($0)`" }.joined(separator: ", ")).")
        }
        let access = try file(
            filled, key: "regions", content: "regions", example: "https://fleet.example.net/regions.json", of: server,
            access, proxy: proxy)
        // A placeholder in the host would let the position choose the server.
        guard let written = try? ServerAddress(source.url), let address = try? ServerAddress(filled),
            written.host == address.host
        else {
            throw fault(
                "regions", "has a `url` with a placeholder in the name of the server",
                "Use placeholders only after the name of the server.")
        }
        return access
    }
}
