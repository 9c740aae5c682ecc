import Foundation
import Glibc
import Peers
import Testing

extension InTheLab {
    @Suite("The lab's I²C bus")
    struct LabBusTests {
        private let chip = EchoChip()

        @Test("The lab's bus transfers to a simulated chip, and counts the transfers.")
        func transfers() throws {
            let bus = try LabBus([0x19: chip])
            let before = try LabBus.transfers()
            try Self.exchange(0x19, writing: [0x20, 0x57, 0x08])
            #expect(bus.touch { chip.registers[0x20...0x21] } == [0x57, 0x08])
            #expect(try Self.exchange(0x19, writing: [0x20], reading: 2) == [0x57, 0x08])
            #expect(try LabBus.transfers() == before + 2)
        }

        @Test("No chip answers at other addresses, or after the chips were unplugged.")
        func unplugged() throws {
            let bus = try LabBus([0x19: chip])
            #expect(Self.failure(at: 0x53) == .EREMOTEIO)
            try bus.isUnplugged(true)
            #expect(Self.failure(at: 0x19) == .EREMOTEIO)
            try bus.isUnplugged(false)
            #expect(Self.failure(at: 0x19) == nil)
        }

        @Test("The lab's bus fails all transfers, or only the n-th transfer, as planned.")
        func faults() throws {
            let bus = try LabBus([0x19: chip])
            try LabBus.failAll(true)
            #expect(Self.failure(at: 0x19) == .EREMOTEIO)
            try LabBus.failAll(false)
            try LabBus.fail(at: 2)
            #expect((0..<3).map { _ in Self.failure(at: 0x19) } == [nil, .EREMOTEIO, nil])
            // The chip carries out the transfer, and only the answer is lost.
            bus.loseAnswer(at: 1)
            #expect(throws: POSIXError.self) { try Self.exchange(0x19, writing: [0x30, 0x11]) }
            #expect(try Self.exchange(0x19, writing: [0x30], reading: 1) == [0x11])
        }

        @Test("The lab's bus times out while a chip is silent, and works again afterwards.")
        func mute() throws {
            let bus = try LabBus([0x19: chip])
            try bus.isMute(true)
            #expect(Self.failure(at: 0x19) == .ETIMEDOUT)
            try bus.isMute(false)
            #expect(try Self.exchange(0x19, writing: [0], reading: 1) == [0])
        }

        @Test("The lab's bus can be limited to SMBus calls.")
        func smbusOnly() throws {
            let bus = try LabBus([0x19: chip])
            try LabBus.isSMBusOnly(true)
            #expect(Self.failure(at: 0x19) == .EOPNOTSUPP)
            let call = try Child(Child.find("i2cset") ?? "i2cset", ["-y", "1", "0x19", "0x21", "0x42"])
            call.wait()
            try LabBus.isSMBusOnly(false)
            #expect(bus.touch { chip.registers[0x21] } == 0x42)
        }

        @Test("A simulated chip's interrupt output drives a GPIO line.")
        func interrupt() throws {
            let bus = try LabBus([0x19: chip], interrupts: [0x19: 17])
            #expect(try !LabLines.isHigh(17))
            let line = try HeldLine(17, consumer: "lab")
            bus.touch { chip.isPinHigh = true }
            #expect(line.edge()?.isRising == true)
            // Reading releases the line.
            try Self.exchange(0x19, writing: [0], reading: 1)
            #expect(line.edge()?.isRising == false)
        }

        private static func failure(at address: UInt8) -> POSIXErrorCode? {
            do {
                try exchange(address, writing: [0], reading: 1)
                return nil
            } catch {
                return (error as? POSIXError)?.code
            }
        }

        /// Makes one combined transfer by `I2C_RDWR`, with the structs of linux/i2c.h and linux/i2c-dev.h.
        @discardableResult
        private static func exchange(_ address: UInt8, writing: [UInt8], reading: Int = 0) throws -> [UInt8] {
            struct Message {
                var address, flags, length: UInt16
                var bytes: UnsafeMutablePointer<UInt8>?
            }
            struct Transfer {
                var messages: UnsafeMutablePointer<Message>?
                var count: UInt32
            }
            let (readWrite, read) = (UInt(0x0707), UInt16(1))
            let device = open(LabBus.device, O_RDWR | O_CLOEXEC)
            defer { close(device) }
            var (written, answer) = (writing, [UInt8](repeating: 0, count: reading))
            let status = written.withUnsafeMutableBufferPointer { written in
                answer.withUnsafeMutableBufferPointer { answer in
                    var messages = [
                        Message(
                            address: UInt16(address), flags: 0, length: UInt16(written.count),
                            bytes: written.baseAddress),
                        Message(
                            address: UInt16(address), flags: read, length: UInt16(reading), bytes: answer.baseAddress),
                    ]
                    return messages.withUnsafeMutableBufferPointer { messages in
                        var transfer = Transfer(messages: messages.baseAddress, count: reading > 0 ? 2 : 1)
                        return ioctl(device, readWrite, &transfer)
                    }
                }
            }
            guard status >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
            return answer
        }
    }
}

/// Registers that store written bytes; reading any of them releases the interrupt.
private final class EchoChip: LabChip {
    var registers = [UInt8](repeating: 0, count: 256)
    var isPinHigh = false
    private var pointer = 0

    func write(_ bytes: [UInt8]) {
        guard let register = bytes.first else { return }
        pointer = Int(register)
        for byte in bytes.dropFirst() {
            registers[pointer] = byte
            pointer += 1
        }
    }

    func read(count: Int) -> [UInt8] {
        isPinHigh = false
        defer { pointer += count }
        return Array(registers[pointer..<pointer + count])
    }
}
