import Foundation
import Glibc

/// The wires at the lab's GPIO lines: chip `pinctrl-lab`, lines `GPIO0` to `GPIO27`.
enum LabLines {
    static let chip = "pinctrl-lab"
    static let device = "/dev/gpiochip0"

    /// Pulls an input up or down, as a connected part would.
    static func pull(_ line: Int, up: Bool) throws {
        try Lab.write(up ? "pull-up" : "pull-down", to: path(line, "pull"))
    }

    /// The level that an output drives, or to which an input is pulled.
    static func isHigh(_ line: Int) throws -> Bool { try Lab.read(path(line, "value")) == "1" }

    /// Returns the line's consumer; nil if the line is free.
    static func holder(of line: Int) throws -> String? { try use(of: line)?.consumer }

    static func isDriven(_ line: Int) throws -> Bool { try use(of: line)?.isOutput ?? false }

    /// Reads ` gpio-484 (GPIO27              |trackerd            ) out hi ` from the kernel's list.
    private static func use(of line: Int) throws -> (consumer: String, isOutput: Bool)? {
        let list = try Lab.read("/sys/kernel/debug/gpio").split(separator: "\n")
        guard let entry = list.first(where: { $0.contains("(GPIO\(line) ") }) else { return nil }
        let parts = entry.split(separator: "|")
        guard parts.count == 2, let end = parts[1].lastIndex(of: ")") else { return nil }
        let consumer = parts[1][..<end].trimmingCharacters(in: .whitespaces)
        return consumer.isEmpty ? nil : (consumer, parts[1][end...].contains(" out "))
    }

    private static func path(_ line: Int, _ file: String) -> String { "\(Lab.folder)/gpio/sim_gpio\(line)/\(file)" }
}

/// A line that another consumer uses as an input with edge detection.
///
/// This class calls the kernel directly, without a library.
final class HeldLine {
    struct Edge: Hashable {
        let isRising: Bool
        /// The kernel's time stamp: the time since boot.
        let nanoseconds: UInt64
    }

    private let descriptor: Int32

    /// Requests the line; throws the kernel's error if the line is in use.
    init(_ line: Int, consumer: String) throws {
        let chip = open(LabLines.device, O_RDWR | O_CLOEXEC)
        guard chip >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        defer { close(chip) }
        // `struct gpio_v2_line_request` of linux/gpio.h, 592 bytes: 64 offsets, the consumer, flags, …, count, …, descriptor.
        var request = [UInt8](repeating: 0, count: 592)
        let (getLine, consumerAt, flagsAt, countAt, descriptorAt) = (UInt(0xC250_B407), 256, 288, 560, 588)
        let (input, risingEdge, fallingEdge) = (UInt64(1 << 2), UInt64(1 << 4), UInt64(1 << 5))
        request.withUnsafeMutableBytes { bytes in
            bytes.storeBytes(of: UInt32(line), as: UInt32.self)
            for (index, byte) in consumer.utf8.prefix(31).enumerated() { bytes[consumerAt + index] = byte }
            bytes.storeBytes(of: input | risingEdge | fallingEdge, toByteOffset: flagsAt, as: UInt64.self)
            bytes.storeBytes(of: 1, toByteOffset: countAt, as: UInt32.self)
        }
        guard ioctl(chip, getLine, &request) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        descriptor = request.withUnsafeBytes { $0.load(fromByteOffset: descriptorAt, as: Int32.self) }
    }

    deinit { close(descriptor) }

    /// Nil if no edge comes within a second.
    func edge() -> Edge? {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        // `struct gpio_v2_line_event`, 48 bytes: time stamp, kind (1: rising, 2: falling), …
        var event = [UInt8](repeating: 0, count: 48)
        guard poll(&entry, 1, 1000) == 1, read(descriptor, &event, event.count) == event.count else { return nil }
        return event.withUnsafeBytes { bytes in
            Edge(isRising: bytes[8] == 1, nanoseconds: bytes.load(as: UInt64.self))
        }
    }
}
