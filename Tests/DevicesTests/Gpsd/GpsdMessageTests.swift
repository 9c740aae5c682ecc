import Devices
import Foundation
import Hardware
import Peers
import Quantities
import Testing
import Tracking

@Suite("A line from gpsd")
struct GpsdMessageTests {
    private static let devices =
        #"{"class":"DEVICES","devices":[{"path":"/dev/a","activated":"2026-01-01T00:00:00.000Z"},{"path":"/dev/b"}]}"#
    private static let sky = #"{"class":"SKY","device":"/dev/a","hdop":1.5,"nSat":2,"uSat":1,"satellites":[{"PRN":1}]}"#

    @Test("An odd or hostile line is read or refused.", arguments: GpsdLines.all)
    func endless(line: String) {
        if case .report(let report)? = message(line) { #expect([nil, 3].contains(report.mode)) }
    }

    @Test("A list of devices is read with unknown members and at any length.")
    func manyDevices() {
        let list = (1...40).map { #"{"path":"/dev/gps\#($0)","driver":null,"bps":"x","new":{"a":[1]}}"# }
        let line = #"{"class":"DEVICES","devices":[1,{"path":7},\#(list.joined(separator: ","))]}"#
        guard case .devices(let devices)? = message(line) else {
            Issue.record("no devices were read")
            return
        }
        #expect(devices.map(\.path) == (1...40).map { "/dev/gps\($0)" })
    }

    @Test(
        "A device is open if gpsd reports the time of its opening.",
        arguments: [
            (#""activated":"2026-01-01T00:00:00.000Z""#, true), (#""activated":1767225600.5"#, true),
            (#""activated":0"#, false), (#""activated":"""#, false), (#""driver":"u-blox""#, false),
        ])
    func activated(member: String, isActive: Bool) {
        guard case .devices(let devices)? = message(#"{"class":"DEVICES","devices":[{"path":"/dev/a",\#(member)}]}"#)
        else {
            Issue.record("no devices were read")
            return
        }
        #expect(devices.map(\.isActive) == [isActive])
    }

    @Test("Only gpsd's date format is accepted.")
    func dates() {
        #expect(time("2026-01-01T07:30:00.250Z")?.description == "2026-01-01T07:30:00.250Z")
        #expect(time("2026-01-01T07:30:00Z")?.description == "2026-01-01T07:30:00.000Z")
        #expect(time("2016-12-31T23:59:60.5Z")?.description == "2017-01-01T00:00:00.500Z")
        let wrong = [
            "", "2026-01-01", "2026-01-01T07:30:00.250", "2026-13-01T07:30:00Z", "2026-01-00T07:30:00Z",
            "2026-01-01T24:30:00Z", "292277026596-12-04T15:30:07Z", "2026-01-01T07:30:00.Z", "-026-01-01T07:30:00Z",
            "2026-01-01T07:30:00.2\u{663}Z",
        ]
        for text in wrong { #expect(time(text) == nil, "\(text)") }
    }

    @Test("A truncated line is refused.", arguments: [devices, sky] + GpsdLines.all)
    func cut(line: String) {
        let bytes = Array(line.utf8)
        for count in 0..<bytes.count { #expect(GpsdMessage(line: Array(bytes.prefix(count))) == nil) }
    }

    @Test("A mutated line does not crash the program, and is refused if it is not JSON.")
    func mutated() throws {
        let capture = try #require(Bundle.module.url(forResource: "Fixtures/drive", withExtension: "json"))
        let recorded = try String(contentsOf: capture, encoding: .utf8).split(separator: "\n").map(String.init)
        var mutation = LineMutation(seed: 20_261_122, of: recorded + [Self.devices, Self.sky] + GpsdLines.all)
        for _ in 0..<40_000 {
            let line = mutation.next()
            guard case .report(let report)? = GpsdMessage(line: line) else { continue }
            _ = Fix(report)
        }
    }

    @Test("A deeply nested line does not crash the program.")
    func deep() {
        for word in ["[", #"{"a":"#, #"{"class":"TPV","a":["#] {
            let line = String(repeating: word, count: GpsdLineBuffer.maximumLineLength / word.utf8.count)
            #expect(message(line) == nil)
        }
    }

    private func message(_ line: String) -> GpsdMessage? { GpsdMessage(line: Array(line.utf8)) }

    private func time(_ text: String) -> Timestamp? {
        guard case .report(let report)? = message(#"{"class":"TPV","time":"\#(text)"}"#) else { return nil }
        return report.time
    }
}

@Suite("The buffer for gpsd's lines")
struct GpsdLineBufferTests {
    @Test("The line buffer assembles lines from pieces of any length.", arguments: [1, 2, 3, 7, 100])
    func parts(size: Int) throws {
        let bytes = Array("one\ntwo\r\n\nthree\nfo".utf8)
        var buffer = GpsdLineBuffer()
        var lines: [String] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            let part = bytes[start..<min(start + size, bytes.count)]
            lines += try buffer.lines(adding: part).map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(lines == ["one", "two\r", "", "three"])
    }

    @Test("The line buffer accepts a line of 64 KiB, but no longer line.")
    func bounded() throws {
        let longest = [UInt8](repeating: 0x78, count: GpsdLineBuffer.maximumLineLength)
        var buffer = GpsdLineBuffer()
        #expect(try buffer.lines(adding: longest[...]).isEmpty)
        #expect(try buffer.lines(adding: [0x0A]) == [longest])
        #expect(throws: GpsdLineBuffer.OverlongLineError.self) {
            try buffer.lines(adding: (longest + [0x78, 0x0A])[...])
        }
        var other = GpsdLineBuffer()
        #expect(try other.lines(adding: longest[...]).isEmpty)
        #expect(throws: GpsdLineBuffer.OverlongLineError.self) { try other.lines(adding: [0x78]) }
    }
}

struct LineMutation {
    private let lines: [[UInt8]]
    private var state: UInt64

    init(seed: UInt64, of lines: [String]) {
        self.lines = lines.map { Array($0.utf8) }
        state = seed
    }

    mutating func next() -> [UInt8] {
        var line = lines[below(lines.count)]
        for _ in 0...below(3) where !line.isEmpty {
            let place = below(line.count)
            switch below(6) {
            case 0: line[place] = UInt8(below(256))
            case 1: line.remove(at: place)
            case 2: line.insert(Self.marks[below(Self.marks.count)], at: place)
            case 3: line.removeLast(below(line.count))
            case 4: line.insert(contentsOf: line[place...].prefix(below(40)), at: place)
            default:
                line.replaceSubrange(
                    place..<min(place + 1 + below(8), line.count), with: Self.words[below(Self.words.count)])
            }
        }
        return line
    }

    private static let marks = Array(#"{}[]",:\-+.0159eEn"#.utf8)
    private static let words = ["null", "-inf", "NaN", "1e999", "9223372036854775808", "\\u0000", "{}", "[]", "\"x\""]
        .map { Array($0.utf8) }

    private mutating func below(_ bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
    }
}
