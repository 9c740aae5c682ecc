import Foundation
import Peers
import Quantities
import Testing

@testable import Devices

@Suite("The history of starts that did not end properly")
struct StartHistoryTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func history(boot: String = "b1") -> StartHistory { StartHistory(folder: scratch.path, boot: boot) }

    @Test("A start remains in the history until the program ends properly.")
    func remains() {
        history().note(.boot + .seconds(70))
        history().note(.boot + .seconds(95))
        #expect(history().unended == [.boot + .seconds(70), .boot + .seconds(95)])
        history().replace(by: [])
        #expect(history().unended.isEmpty)
        #expect(try! FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["served-target"])
    }

    @Test("Each start keeps the target that was served when the program crashed.")
    func targets() {
        history().note(.boot + .seconds(70))
        history().target.set("home")
        history().note(.boot + .seconds(95))
        history().note(.boot + .seconds(99))
        history().target.set("second home")
        #expect(history().targets == ["home", nil, "second home"])
        history().target.set(nil)
        #expect(history().targets == ["home", nil, nil])
        history().replace(by: [.boot, .boot], targets: ["a"])
        #expect(history().targets == ["a", nil])
    }

    @Test("Starts from another boot do not count.")
    func otherBoot() {
        history().note(.boot + .seconds(70))
        #expect(history(boot: "b2").unended.isEmpty)
    }

    @Test("The history keeps the last 20 of many starts.")
    func many() {
        for second in 1...50 { history().note(.boot + .seconds(second)) }
        #expect(history().unended == (31...50).map { .boot + .seconds($0) })
    }

    @Test("Lines that are damaged do not count.")
    func damaged() throws {
        try scratch.write("b1 7\nb1\n\u{0}\u{1}\nb1 x\nb1 -9\nb1 99999999999999999999\nb1 8 9\n", to: "unended-starts")
        #expect(history().unended == [.boot + .seconds(7)])
    }

    @Test("Without a folder, or with a folder that cannot be written, the history remains empty.")
    func noFolder() {
        for folder in [nil, scratch.path + "/missing"] {
            let history = StartHistory(folder: folder, boot: "b1")
            history.note(.boot + .seconds(70))
            #expect(history.unended.isEmpty)
        }
    }
}
