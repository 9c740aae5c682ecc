import JSON
import Testing
import Tracking
@testable import Upload

@Suite("An order for a part of a fleet")
struct FleetOrderTests {
    @Test(
        "An order with another `for` is refused, so that it cannot affect other vehicles.",
        arguments: [
            "{}", "[]", #""van1""#, #"{"share":0.1}"#, #"{"device":"van1"}"#, #"{"devices":"van1"}"#,
            #"{"devices":["van1"],"share":0.1}"#,
        ])
    func unclear(text: String) {
        let reader = OrderReader(target: "home", device: "van1", permissions: [.locate]) { "made" }
        let order = #"{"request":"locate","id":"a","expires":1777888800,"for":\#(text)}"#
        #expect(reader.read(Array(order.utf8)) == [.failure(.withoutDevices("locate"))])
    }

    @Test("An order for other vehicles is left out without a report, and an order for this one is read without `for`.")
    func reading() {
        let reader = OrderReader(target: "home", device: "van1", permissions: [.locate]) { "made" }
        let order = { (name: String) in
            #"{"request":"locate","id":"a","expires":1777888800,"for":{"devices":["\#(name)"]}}"#
        }
        #expect(reader.read(Array(order("van2").utf8)).isEmpty && reader.read(Array(order("van10").utf8)).isEmpty)
        guard case .success(let stored)? = reader.read(Array(order("van1").utf8)).first else {
            Issue.record("no order")
            return
        }
        #expect(stored.body == #"{"id":"a","request":"locate"}"#)
    }

    @Test(
        "In an order with a length of time, `for` is that length; an object lists devices.",
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
        #expect(bodies(#"{"device":"van1"}"#) == ["\(OrderError.withoutDevices(request))"])
    }

    @Test("In a file, which trackerd reads again and again, each order needs an ID.")
    func file() {
        let reader = OrderReader(target: "home", device: "van1", permissions: [.locate]) { "made" }
        let command = Array(#"{"_type":"cmd","action":"reportLocation"}"#.utf8)
        #expect(reader.read(command).count == 1)
        #expect(reader.read(command, isFile: true) == [.failure(.actionInFile("reportLocation"))])
    }
}
