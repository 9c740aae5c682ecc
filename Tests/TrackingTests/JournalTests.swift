import TestSupport
import Testing

@Suite("The journal of random lives")
struct JournalTests {
    @Test(
        "A random life is what it was; `TRACKERD_WRITE_DOCS=1` rewrites its fingerprint, `TRACKERD_JOURNALS=FOLDER` writes every line."
    )
    func same() throws {
        let summaries = try (1...48).map { seed in
            var life = EventfulLife(seed: seed)
            life.live(steps: 1500)
            try life.journal.save(as: "life \(seed)")
            return "life \(seed): \(life.journal.summary)"
        }
        for difference in try Journal.differences(summaries, from: "lives.txt") { Issue.record("\(difference)") }
    }
}
