import Devices
import Glibc
import Hardware
import Quantities
import Testing
import Tracking

import TestSupport

/// The number of parsed packets, unless `TRACKERD_FUZZ` sets another number; the scanner gets a tenth.
private let packets = getenv("TRACKERD_FUZZ").flatMap { Int(String(cString: $0)) } ?? 200_000

@Suite("Random bytes over the air")
struct HCIFuzzTests {
    @Test("Random bytes are parsed to nil, or to an event that does not exceed the bytes.", arguments: [1, 2])
    func parsing(seed: UInt64) {
        var noise = Noise(seed: seed)
        var (reports, sightings) = (0, 0)
        for _ in 0..<packets / 2 {
            let packet = noise.packet()
            var parts = FragmentedAdvertisements()
            for report in HCIEvent(packet: packet)?.reports ?? [] {
                reports += 1
                // A report has at least ten bytes besides its data.
                if report.data.count + 10 > packet.count { Issue.record("seed \(seed): \(packet)") }
                guard parts.isWhole(report) else { continue }
                let frame = IBeaconFrame(advertisingData: Array(report.data))
                if frame?.sighting(rssi: report.rssi) != nil { sightings += 1 }
            }
        }
        // If fewer packets contained reports, the packets would be too random to test the parser.
        #expect(reports > packets / 20)
        #expect(sightings > packets / 200)
    }

    @Test(
        "After random packets the scanner scans again once the controller is reset.",
        arguments: [3])
    func scanning(seed: UInt64) {
        var noise = Noise(seed: seed)
        let bench = FakeScannerBench()
        #expect(bench.listen())
        for index in 0..<packets / 10 {
            bench.adapter.deliver(noise.packet())
            for event in bench.settle() {
                guard case .beacon(let sighting) = event else {
                    Issue.record("seed \(seed): \(event)")
                    continue
                }
                if sighting.rssi > 20 || sighting.uuid.utf8.count != 36 { Issue.record("seed \(seed): \(sighting)") }
            }
            if index % 100 == 0 { bench.pass(.seconds(1)) }
        }
        bench.adapter.other([0x01, 0x03, 0x0C, 0x00])
        bench.pass(.seconds(180))
        #expect(bench.blueZScanner.isScanning, "seed \(seed)")
        #expect(bench.blueZScanner.fault == nil, "seed \(seed)")
    }
}

/// Random packets, and packets that are nearly correct.
private struct Noise {
    private var generator: SplitMix

    init(seed: UInt64) { generator = SplitMix(seed: seed) }

    private static let models: [[UInt8]] =
        HCISamples.captured.map { HCISamples.bytes($0.packet) } + [
            HCISamples.pair, HCISamples.extended(), HCISamples.extended(type: 0x20),
            HCISamples.bytes("04 0E 04 01 0C 20 00"), HCISamples.bytes("04 0F 04 0C 01 41 20"),
            HCISamples.bytes("04 0E 0C 01 03 20 00 00 10 00 00 00 00 00 00"),
        ]

    mutating func packet() -> [UInt8] {
        var packet = generator.next() % 4 == 0 ? bytes() : Self.models[index(Self.models.count)]
        for _ in 0..<index(4) where !packet.isEmpty { packet[index(packet.count)] = byte() }
        switch generator.next() % 4 {
        case 0: packet.removeLast(index(packet.count + 1))
        case 1: packet += bytes().prefix(40)
        default: break
        }
        // A wrong length ends the parsing at once, so the length is correct in most packets.
        if packet.count >= 3, packet.count < 259, generator.next() % 8 != 0 {
            packet[0] = 0x04
            packet[2] = UInt8(packet.count - 3)
        }
        return packet
    }

    private mutating func bytes() -> [UInt8] { (0..<index(index(258) + 1)).map { _ in byte() } }
    private mutating func byte() -> UInt8 { UInt8(truncatingIfNeeded: generator.next()) }
    private mutating func index(_ count: Int) -> Int { Int(generator.next() % UInt64(count)) }
}
