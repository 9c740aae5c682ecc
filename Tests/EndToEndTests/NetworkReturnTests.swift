import Foundation
import Peers
import Quantities
import Store
import Testing
import Tracking

@Suite(
    "The return of the network",
    .enabled(if: LinkedNetwork.missing == nil, "\(LinkedNetwork.missing ?? "")"),
    .enabled(if: TestBench.missing.isEmpty, "not installed: \(TestBench.missing)"))
struct NetworkReturnTests {
    enum Kind: String, CaseIterable { case http, mqtt }

    private let network: LinkedNetwork

    init() throws { network = try LinkedNetwork() }

    private func peer(_ kind: Kind) throws -> any Peer {
        switch kind {
        case .http: try WebServer(host: network.host)
        case .mqtt: try Broker(host: network.host)
        }
    }

    @Test(
        "Uploads pause for an hour without a network; when the link returns, the newest place arrives first, within 5 s.",
        arguments: Kind.allCases)
    func returns(kind: Kind) throws {
        let peer = try peer(kind)
        try peer.start(denying: false)
        let vehicle = try Vehicle(targets: ["{name: home, url: \"\(peer.url)\", allowInsecure: true}"])
        let daemon = try vehicle.start(speed: 60, prefix: network.prefix)
        #expect(eventually { !peer.bodies.isEmpty })

        network.setUp(false)
        #expect(eventually { daemon.logged.contains("home: uploads are failing (") })
        // The tracker sends the newest record before the others only if the backlog spans more than a minute.
        let began = vehicle.stored.count
        #expect(
            eventually {
                let missed = vehicle.stored.dropFirst(began).map(\.created)
                guard let first = missed.min(), let last = missed.max() else { return false }
                return last - first > .seconds(120)
            })
        let before = peer.bodies.count
        let newest = try #require(vehicle.stored.last { $0.isExpressibleInOwnTracks })
        let returned = restore()
        #expect(eventually { peer.bodies.count > before })
        #expect(peer.arrivals[before] - returned < Self.longest_s)
        let first = try sequence(of: peer.bodies[before], in: vehicle)
        #expect(first >= newest.sequence, "\(first) instead of \(newest.sequence)")
        let wanted = vehicle.stored.filter(\.isExpressibleInOwnTracks).map(\.uuid)
        #expect(eventually { wanted.allSatisfy { uuid in peer.bodies.contains { $0.contains(uuid) } } })
        #expect(eventually { daemon.logged.contains("home: uploads recovered") })
        #expect(daemon.endInTime() == 0)
    }

    @Test(
        "A connection that was open when the link broke does not delay the next upload by more than 5 s.",
        arguments: Kind.allCases)
    func openConnection(kind: Kind) throws {
        let peer = try peer(kind)
        try peer.start(denying: false)
        let vehicle = try Vehicle(targets: ["{name: home, url: \"\(peer.url)\", allowInsecure: true}"])
        let daemon = try vehicle.start(speed: 20, prefix: network.prefix)
        #expect(eventually { !peer.bodies.isEmpty })
        // The server receives the record but sends no answer, so the request is in flight when the link breaks.
        try peer.behave(.mute)
        let seen = peer.bodies.count
        #expect(eventually { peer.bodies.count > seen })
        network.setUp(false)
        #expect(eventually { daemon.logged.contains("home: uploads are failing (") })
        try peer.behave(.good)
        let before = peer.bodies.count
        let returned = restore()
        #expect(eventually { peer.bodies.count > before + 1 })
        #expect(peer.arrivals[before] - returned < Self.longest_s)
        #expect(daemon.endInTime() == 0)
    }

    /// docs/formats.md promises that the newest position arrives within this time after the return of the network.
    ///
    /// trackerd needs much less than a second. The server records the time of arrival, so delays of the test on a busy machine
    /// do not matter.
    private static let longest_s = 5.0

    /// Brings the link up; returns the time before the call, in seconds since 1970.
    private func restore() -> Double {
        defer { network.setUp(true) }
        return Date().timeIntervalSince1970
    }

    private func sequence(of body: String, in vehicle: Vehicle) throws -> Int64 {
        let object = try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any]
        let uuid = try #require(object?["_id"] as? String)
        return try #require(vehicle.stored.first { $0.uuid == uuid }?.sequence)
    }
}
