@testable import Formats
import Quantities
import TestSupport
import Testing
import Tracking
@testable import Upload

@Suite("The records of random lives in each format")
struct RecordedLifeTests {
    @Test(
        "A format encodes the records of a life with its stored fingerprint; `TRACKERD_WRITE_DOCS=1` rewrites it, `TRACKERD_JOURNALS=FOLDER` writes every body."
    )
    func same() throws {
        var golden = try GoldenLines("bodies.txt")
        for seed in 1...10 {
            var life = EventfulLife(seed: seed)
            life.live(steps: 1200)
            let records = life.steps.enumerated().map { index, step in
                StoredRecord(
                    sequence: Int64(index + 1), uuid: "0199c7a2-8c00-7a10-9d54-\(100_000_000_000 + index)",
                    created: step.record.time + .milliseconds(250), record: step.record)
            }
            for format in FormatCatalogue.all {
                for kind in format.transports {
                    let journal = try journal(of: records, in: format, over: kind)
                    let title = "life \(seed), \(format.name) over \(kind)"
                    try journal.save(as: title)
                    #expect(golden.difference(of: "\(title): \(journal.summary)") == nil)
                }
            }
        }
        #expect(try golden.finish())
    }

    private func journal(
        of records: [StoredRecord], in format: any UploadFormat, over kind: TransportKind
    ) throws -> Journal {
        var journal = Journal()
        let url = kind == .http ? "https://track.example.net/in?lat={lat}&lon={lon}&t={time}" : "mqtts://example.net"
        let target = try UploadTarget.sample(url, format.name)
        let size = min(5, format.recordsPerPayload.upperBound)
        for start in stride(from: 0, to: records.count, by: size) {
            let batch = records[start..<min(records.count, start + size)].filter {
                format.carries($0.record, over: kind)
            }
            journal.add("\(start): \(batch.count) carried")
            guard batch.count >= max(1, format.recordsPerPayload.lowerBound) else { continue }
            journal.note(
                target.format.encode(Array(batch), isNewest: start.isMultiple(of: 3), for: target.sender, over: kind))
        }
        for payload in format.introduction(for: target.sender) { journal.note(.payload(payload)) }
        return journal
    }
}

extension Journal {
    /// Adds the bytes and headers of a payload, or the reason why the format made no payload.
    fileprivate mutating func note(_ result: EncodeResult) {
        guard case .payload(let payload) = result else { return add("\(result)") }
        let headers = payload.headers.map { "\($0.name): \($0.value)" }
        add(
            "\(payload.method) \(payload.path ?? "") \(payload.contentType) \(headers) \(payload.topic) \(payload.retain)"
        )
        add(String(decoding: payload.body, as: UTF8.self))
        for companion in payload.companions { note(.payload(companion)) }
    }
}
