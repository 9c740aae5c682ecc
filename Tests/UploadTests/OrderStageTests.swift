import JSON
import Testing
import Tracking
@testable import Upload

@Suite("An order for a part of a fleet")
struct OrderStageTests {
    private func read(_ text: String) -> OrderStage? { JSONValue(json: text).flatMap { OrderStage($0) } }

    @Test("A list of devices includes exactly these devices.")
    func devices() throws {
        let stage = try #require(read(#"{"devices":["van1","van2"]}"#))
        #expect(stage.includes("van1", order: "a") && stage.includes("van2", order: "b"))
        #expect(!stage.includes("van10", order: "a") && !stage.includes("", order: "a"))
    }

    @Test("A share includes about that part of a fleet, and a larger share includes all vehicles of a smaller one.")
    func share() throws {
        let fleet = (1...2000).map { "van\($0)" }
        var former: Set<String> = []
        for percent in [0, 1, 10, 50, 100] {
            let stage = try #require(read(#"{"share":\#(Double(percent) / 100)}"#))
            let chosen = Set(fleet.filter { stage.includes($0, order: "update-7") })
            #expect(abs(chosen.count - 20 * percent) <= 80, "\(percent) %: \(chosen.count)")
            #expect(former.isSubset(of: chosen))
            former = chosen
        }
        #expect(former.count == fleet.count)
        // Two orders for a tenth of the fleet choose mostly different vehicles.
        let tenth = try #require(read(#"{"share":0.1}"#))
        let first = Set(fleet.filter { tenth.includes($0, order: "update-7") })
        let second = Set(fleet.filter { tenth.includes($0, order: "update-8") })
        #expect(first.intersection(second).count < 60)
    }

    @Test(
        "An order with an unclear stage is refused, so that it cannot affect other vehicles.",
        arguments: [
            "{}", "[]", #""van1""#, #"{"share":1.5}"#, #"{"share":-1}"#, #"{"share":"0.1"}"#, #"{"device":"van1"}"#,
        ])
    func unclear(text: String) {
        #expect(read(text) == nil)
        let reader = OrderReader(target: "home", device: "van1", permissions: [.locate]) { "made" }
        let order = #"{"request":"locate","id":"a","expires":1777888800,"for":\#(text)}"#
        #expect(reader.read(Array(order.utf8)) == [.failure(.withoutStage("locate"))])
    }

    @Test("An order for other vehicles is left out without a report, and an order for this one is read without `for`.")
    func reading() {
        let reader = OrderReader(target: "home", device: "van1", permissions: [.locate]) { "made" }
        let order = { (name: String) in
            #"{"request":"locate","id":"a","expires":1777888800,"for":{"devices":["\#(name)"]}}"#
        }
        #expect(reader.read(Array(order("van2").utf8)).isEmpty)
        guard case .success(let stored)? = reader.read(Array(order("van1").utf8)).first else {
            Issue.record("no order")
            return
        }
        #expect(stored.body == #"{"id":"a","request":"locate"}"#)
    }

    @Test(
        "In an order with a length of time, `for` is that length; an object is a stage.",
        arguments: [("private on", RemotePermission.silence), ("awake on", .stayAwake)])
    func length(request: String, permission: RemotePermission) {
        let reader = OrderReader(target: "home", device: "van1", permissions: [permission]) { "made" }
        func bodies(_ value: String) -> [String] {
            let order = #"{"request":"\#(request)","id":"a","expires":1777888800,"for":\#(value)}"#
            return reader.read(Array(order.utf8)).map { reading in
                switch reading {
                case .success(let stored): stored.body
                case .failure(let error): "\(error)"
                }
            }
        }
        #expect(bodies(#""2h""#) == [#"{"for":"2h","id":"a","request":"\#(request)"}"#])
        #expect(bodies(#"{"devices":["van2"]}"#).isEmpty)
        #expect(bodies(#"{"devices":["van1"]}"#) == [#"{"id":"a","request":"\#(request)"}"#])
        #expect(bodies(#"{"device":"van1"}"#) == ["\(OrderError.withoutStage(request))"])
    }

    @Test("In a file, which trackerd reads again and again, each order needs an ID.")
    func file() {
        let reader = OrderReader(target: "home", device: "van1", permissions: [.locate]) { "made" }
        let command = Array(#"{"_type":"cmd","action":"reportLocation"}"#.utf8)
        #expect(reader.read(command).count == 1)
        #expect(reader.read(command, isFile: true) == [.failure(.actionInFile("reportLocation"))])
    }
}
