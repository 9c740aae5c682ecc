import Foundation
import Glibc
import Peers
import TestSupport
import Testing

/// Runs the doctor in its own process on the lab's devices.
final class DoctorBench {
    struct Finding: Decodable, Hashable, CustomStringConvertible {
        let check: String
        let grade: String
        let text: String
        let remedy: String?

        var description: String { [grade, check, text, remedy ?? ""].joined(separator: " | ") }
    }

    struct Report {
        let findings: [Finding]
        let canTrack: Bool?
        let status: Int32

        func about(_ check: String) -> [Finding] { findings.filter { $0.check == check } }
    }

    private struct Verdict: Decodable { let canTrack: Bool }

    /// Changes to parts in `boards/pi4.yaml`, by key; `none` removes a part.
    var parts = [
        "accelerometer": "none", "receiverPower": "{kind: none}", "bluetooth": "none", "ignition": "none",
        "powerFail": "none",
        "indicator": "none", "atRest": "[]", "wakeUp": "none",
    ]

    private let scratch: Scratch

    /// Starts with a board that has only gpsd; gpsd is not running.
    init() throws {
        scratch = try Scratch()
        parts["gpsd"] = "{host: 127.0.0.1, port: \(freePort())}"
        // An unprivileged user may also run the doctor. In this case too, the doctor must not report the database as a
        // fault.
        try FileManager.default.createDirectory(atPath: scratch.path + "/store", withIntermediateDirectories: true)
        chmod(scratch.path + "/store", 0o777)
    }

    func wireAccelerometer(_ bus: String = LabBus.device, chip: String = "LIS3DH", address: String = "0x18") {
        parts["accelerometer"] = "{bus: \(bus), chip: \(chip), address: \(address), interrupt: none}"
    }

    /// Returns the section `board` with these changes and further keys; all other keys remain.
    func section(_ changes: [String: String], _ more: String = "") -> String {
        let kept = parts.merging(changes) { _, new in new }
        return
            "board: {\(kept.keys.sorted().map { "\($0): \(kept[$0] ?? "")" }.joined(separator: ", ")), base: pi4\(more)}"
    }

    /// `prefix` is a command that runs the doctor.
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

    static func chip(_ model: String) throws -> FakeChip { try #require(FakeChip(model: model)) }
}

/// A chip that counts writes to its registers.
final class WatchedChip: LabChip {
    private let chip: FakeChip
    private(set) var writes = 0

    init(_ chip: FakeChip) { self.chip = chip }

    func write(_ bytes: [UInt8]) {
        if bytes.count > 1 { writes += 1 }
        chip.write(bytes)
    }

    func read(count: Int) -> [UInt8] { chip.read(count: count) }

    var isPinHigh: Bool { chip.isPinHigh }
}
