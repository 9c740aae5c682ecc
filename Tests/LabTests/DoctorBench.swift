import Foundation
import Glibc
import Peers
import TestSupport
import Testing

/// Asks the doctor, as a process of its own, about the lab's devices.
final class DoctorBench {
    /// What the doctor says of a part.
    struct Finding: Decodable, Hashable, CustomStringConvertible {
        let check: String
        let grade: String
        let text: String
        let mend: String?

        var description: String { [grade, check, text, mend ?? ""].joined(separator: " | ") }
    }

    struct Report {
        let findings: [Finding]
        let canTrack: Bool?
        let status: Int32

        /// What it says of a part, in order.
        func about(_ check: String) -> [Finding] { findings.filter { $0.check == check } }
    }

    private struct Verdict: Decodable { let canTrack: Bool }

    /// What becomes of the parts of `boards/pi4.yaml`, a key each; `none` leaves a part out.
    var parts = [
        "accelerometer": "none", "receiverPower": "{kind: none}", "bluetooth": "none", "ignition": "none",
        "powerFail": "none",
        "indicator": "none", "atRest": "[]", "wakeUp": "none",
    ]

    private let scratch: Scratch

    /// Begins with a board of which nothing is left but gpsd, to which nobody listens.
    init() throws {
        scratch = try Scratch()
        parts["gpsd"] = "{host: 127.0.0.1, port: \(freePort())}"
        // Its user may be one who may do nothing: of the database he shall not complain.
        try FileManager.default.createDirectory(atPath: scratch.path + "/store", withIntermediateDirectories: true)
        chmod(scratch.path + "/store", 0o777)
    }

    /// The chip of the board, at another place or of another kind than it is.
    func wireAccelerometer(_ bus: String = LabBus.device, chip: String = "LIS3DH", address: String = "0x18") {
        parts["accelerometer"] = "{bus: \(bus), chip: \(chip), address: \(address), interrupt: none}"
    }

    /// What the doctor says; `prefix` is a program that runs it.
    func ask(by prefix: [String] = []) throws -> Report {
        let board = parts.keys.sorted().map { "  \($0): \(parts[$0] ?? "none")\n" }.joined()
        let text = "device: van1\nstore: {path: \(scratch.path)/store/trackerd.sqlite}\nboard:\n\(board)"
        try scratch.write(text, to: "config.yaml")
        let doctor = ["doctor", "--board", "pi4", "--config", scratch.path + "/config.yaml", "--json"]
        let words = prefix + [Lab.program] + doctor
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: words[0])
        process.arguments = Array(words.dropFirst())
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        try process.run()
        let lines = output.fileHandleForReading.readDataToEndOfFile().split(separator: UInt8(ascii: "\n"))
        process.waitUntilExit()
        let decoder = JSONDecoder()
        return Report(
            findings: try lines.dropLast().map { try decoder.decode(Finding.self, from: $0) },
            canTrack: try lines.last.map { try decoder.decode(Verdict.self, from: $0).canTrack },
            status: process.terminationStatus)
    }

    /// The chip of a model of the catalogue.
    static func chip(_ model: String) throws -> FakeChip { try #require(FakeChip(model: model)) }
}

/// A chip that notes how often something is written to its registers.
final class WatchedChip: LabChip {
    private let chip: FakeChip
    private(set) var writes = 0

    init(_ chip: FakeChip) { self.chip = chip }

    func write(_ bytes: [UInt8]) {
        if bytes.count > 1 { writes += 1 }
        chip.write(bytes)
    }

    func read(count: Int) -> [UInt8] { chip.read(count: count) }

    var isInterruptActive: Bool { chip.isInterruptActive }
}
