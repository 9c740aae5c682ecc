import Contracts
import GRDB
import Quantities
import Testing
import Tracking

@testable import Store

@Suite("The store of a server's regions")
struct ServerRegionTableTests {
    private let folder = TemporaryFolder()

    private func list(_ target: String, _ names: String...) throws -> ServerRegions {
        let centre = try #require(Coordinate(latitude: 52.5, longitude: 13.4))
        let regions = try names.map { name in
            try Region(
                RegionName(id: name, name: name), text: name, defined: Timestamp(milliseconds: 5000),
                shape: .area(.circle(centre: centre, radius: Metres(100))))
        }
        return ServerRegions(target: target, regions: regions)
    }

    @Test("The regions of each server survive a restart, in the order of the targets' names.")
    func restart() throws {
        let queue = try RecordQueue(path: folder.database)
        queue.replace(try list("work", "yard"))
        queue.replace(try list("home", "depot", "pier"))
        let both = [try list("home", "depot", "pier"), try list("work", "yard")]
        #expect(queue.serverRegions == both, "also before the commit")
        _ = try queue.flush(at: .sample())
        #expect(try RecordQueue(path: folder.database).serverRegions == both)
    }

    @Test("After a power cut before the commit, the former regions remain.")
    func cutBefore() throws {
        let queue = try RecordQueue(path: folder.database)
        queue.replace(try list("home", "depot"))
        _ = try queue.flush(at: .sample())
        queue.replace(try list("home", "pier"))
        // The test opens the file without a flush, as after a power cut.
        #expect(try RecordQueue(path: folder.database).serverRegions == [list("home", "depot")])
    }

    @Test("The regions in an order are written in the transaction that settles the order.")
    func order() throws {
        let queue = try RecordQueue(path: folder.database)
        let table = try DeliveryTable(path: folder.database)
        _ = try table.accept(StoredOrder(target: "home", id: "a", body: "{}", expires: nil))
        table.close()
        queue.begin(try #require(queue.waitingOrders.first))
        queue.replace(try list("home", "depot"))
        let before = try RecordQueue(path: folder.database)
        #expect(before.serverRegions == [] && before.waitingOrders.count == 1)
        queue.endOrder()
        _ = try queue.flush(at: .sample())
        let after = try RecordQueue(path: folder.database)
        #expect(try after.serverRegions == [list("home", "depot")] && after.waitingOrders.isEmpty)
    }

    @Test("A new list replaces the whole former list of its server, and an empty list removes it.")
    func replaced() throws {
        let queue = try RecordQueue(path: folder.database)
        for names in [["depot", "pier"], ["yard"]] {
            queue.replace(ServerRegions(target: "home", regions: try names.flatMap { try list("home", $0).regions }))
            _ = try queue.flush(at: .sample())
        }
        #expect(try queue.serverRegions == [list("home", "yard")])
        queue.replace(try list("home"))
        #expect(queue.serverRegions == [])
        _ = try queue.flush(at: .sample())
        #expect(try RecordQueue(path: folder.database).serverRegions == [])
    }

    @Test("A list that this version cannot read is left out, and the lists of other servers remain.")
    func unreadable() throws {
        let queue = try RecordQueue(path: folder.database)
        queue.replace(try list("home", "depot"))
        _ = try queue.flush(at: .sample())
        queue.close()
        try DatabaseQueue(path: folder.database).write { database in
            try database.execute(sql: "INSERT INTO server_regions VALUES ('work', '[{\"shape\":\"torus\"}]')")
        }
        #expect(try RecordQueue(path: folder.database).serverRegions == [list("home", "depot")])
    }
}
