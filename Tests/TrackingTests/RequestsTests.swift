import Quantities
import Testing
import TrackingOptions

@testable import Tracking

@Suite("Requests for a location")
struct RequestsTests {
    private var requests = LocationRequests(TrackingOptions())

    @Test("A request is answered with the first fix that is good enough, with its action.")
    mutating func answered() throws {
        let action = ActionParameters(actionType: "delivery", actionId: "42")
        let isFirst = requests.ask(LocationRequest(action: action), at: .at(0))
        #expect(isFirst)
        #expect(requests.take(try Samples.accepted(1, accuracy: 150), at: .at(1)).isEmpty)
        let good = try Samples.accepted(8, accuracy: 15)
        let answers = requests.take(good, at: .at(8))
        #expect(answers == [.init(answer: RequestAnswer(action: action, took: .seconds(8)), fix: good)])
        #expect(!requests.isWaiting)
        #expect(requests.take(try Samples.accepted(9), at: .at(9)).isEmpty)
    }

    @Test("A request joins the requests that already wait, and one search answers all of them.")
    mutating func joined() throws {
        let first = requests.ask(LocationRequest(action: ActionParameters(actionId: "a")), at: .at(0))
        let second = requests.ask(LocationRequest(action: ActionParameters(actionId: "b")), at: .at(20))
        #expect(first && !second)
        let answers = requests.take(try Samples.accepted(30), at: .at(30)).map(\.answer)
        #expect(answers.map(\.action?.actionId) == ["a", "b"])
        #expect(answers.map(\.took) == [.seconds(30), .seconds(10)])
    }

    @Test("Each request waits for its own time, so a later request continues when the first has timed out.")
    mutating func ownTime() throws {
        _ = requests.ask(LocationRequest(action: ActionParameters(actionId: "a")), at: .at(0))
        let early = try Samples.accepted(10, accuracy: 40)
        #expect(requests.take(early, at: .at(10)).isEmpty)
        _ = requests.ask(LocationRequest(action: ActionParameters(actionId: "b")), at: .at(100))
        #expect(requests.deadline == .at(120))
        let first = requests.timedOut(at: .at(120))
        #expect(first.map(\.answer.action?.actionId) == ["a"] && first.map(\.fix) == [early])
        #expect(requests.deadline == .at(220))
        // As long as the second request may wait, it does not accept a poor fix either.
        #expect(requests.take(try Samples.accepted(130, accuracy: 90), at: .at(130)).isEmpty)
        let good = try Samples.accepted(140, accuracy: 15)
        let second = RequestAnswer(action: ActionParameters(actionId: "b"), took: .seconds(40))
        #expect(requests.take(good, at: .at(140)) == [.init(answer: second, fix: good)])
        #expect(requests.deadline == nil)
    }

    @Test("A request is answered after fixTimeout with the best fix seen.")
    mutating func best() throws {
        _ = requests.ask(LocationRequest(), at: .at(0))
        let best = try Samples.accepted(5, accuracy: 40)
        for fix in [best, try Samples.accepted(6, accuracy: 90)] { #expect(requests.take(fix, at: .at(6)).isEmpty) }
        #expect(
            requests.timedOut(at: .at(120)) == [
                .init(answer: RequestAnswer(action: nil, took: .seconds(120)), fix: best)
            ])
    }

    @Test("A fix that arrives after fixTimeout, but before the timer, does not replace a better fix in the answer.")
    mutating func lateFix() throws {
        _ = requests.ask(LocationRequest(), at: .at(0))
        let best = try Samples.accepted(5, accuracy: 40)
        #expect(requests.take(best, at: .at(5)).isEmpty)
        #expect(requests.take(try Samples.accepted(121, accuracy: 90), at: .at(121)).map(\.fix) == [best])
        _ = requests.ask(LocationRequest(), at: .at(200))
        #expect(requests.take(try Samples.accepted(205, accuracy: 40), at: .at(205)).isEmpty)
        let late = try Samples.accepted(321, accuracy: 30)
        #expect(requests.take(late, at: .at(321)).map(\.fix) == [late])
    }

    @Test("A request without a fix fails with a clear error.")
    mutating func failed() {
        _ = requests.ask(LocationRequest(), at: .at(0))
        let answer = RequestAnswer(action: nil, failure: "no fix in time", took: .seconds(120))
        #expect(requests.timedOut(at: .at(120)) == [.init(answer: answer, fix: nil)])
        #expect(requests.timedOut(at: .at(121)).isEmpty)
    }

    @Test("A late timer of an earlier request does not make a request fail.")
    mutating func lateTimer() throws {
        _ = requests.ask(LocationRequest(), at: .at(0))
        _ = requests.take(try Samples.accepted(119), at: .at(119))
        _ = requests.ask(LocationRequest(), at: .at(119.5))
        #expect(requests.timedOut(at: .at(120)).isEmpty)
        #expect(requests.isWaiting)
    }

    @Test("A request is not answered with a fix from an earlier request.")
    mutating func fresh() throws {
        _ = requests.ask(LocationRequest(), at: .at(0))
        _ = requests.take(try Samples.accepted(1, accuracy: 90), at: .at(1))
        _ = requests.timedOut(at: .at(120))
        _ = requests.ask(LocationRequest(), at: .at(500))
        #expect(requests.timedOut(at: .at(620)).first?.fix == nil)
    }
}
