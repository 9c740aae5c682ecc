import TestSupport
import Testing

@Suite("The journal of random lives of the queue")
struct QueueLifeTests {
    @Test(
        "A queue's life has its stored fingerprint; `TRACKERD_WRITE_DOCS=1` rewrites it, `TRACKERD_JOURNALS=FOLDER` writes every line."
    )
    func same() throws {
        var golden = try GoldenLines("queues.txt")
        for seed in 1...10 {
            var life = try QueueLife(seed: seed)
            try life.live()
            try life.journal.save(as: "queue \(seed)")
            #expect(golden.difference(of: "queue \(seed): \(life.journal.summary)") == nil)
        }
        #expect(try golden.finish())
    }
}
