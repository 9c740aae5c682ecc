import TestSupport
import Testing

@Suite("The journal of random lives")
struct JournalTests {
    @Test(
        "A random life has its stored fingerprint; `TRACKERD_WRITE_DOCS=1` rewrites it, `TRACKERD_JOURNALS=FOLDER` writes every line."
    )
    func same() throws {
        var golden = try GoldenLines("lives.txt")
        for seed in 1...48 {
            var life = EventfulLife(seed: seed)
            life.live(steps: 1500)
            try life.journal.save(as: "life \(seed)")
            #expect(golden.difference(of: "life \(seed): \(life.journal.summary)") == nil)
        }
        #expect(try golden.finish())
    }
}
