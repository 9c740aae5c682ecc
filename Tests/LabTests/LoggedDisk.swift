import Foundation
import Peers

/// A disk that logs writes in the order in which they become durable (the kernel's dm-log-writes).
///
/// Afterwards, a test can simulate a power cut at each flush of the disk.
///
/// Format of the log: linux/drivers/md/dm-log-writes.c, `struct log_write_super` and `struct log_write_entry`.
final class LoggedDisk {
    private struct Entry {
        let offset: Int
        let sector: Int
        let sectors: Int
        let isBoundary: Bool
        let mark: String?
    }

    let folder: String
    private let scratch: Scratch
    private let name = "logged-" + UUID().uuidString.prefix(8)
    private static let megabytes = 24

    /// The disk has an ext4 file system and is mounted.
    init(_ scratch: Scratch) throws {
        self.scratch = scratch
        folder = scratch.path + "/disk"
        try run(
            """
            cd '\(scratch.path)'; mkdir disk cut
            truncate -s \(Self.megabytes)M data; truncate -s 256M log
            data=$(losetup -f --show data); log=$(losetup -f --show log)
            dmsetup create --noudevrules --noudevsync \(name) \
                --table "0 \(Self.megabytes * 2048) log-writes $data $log"
            mkfs.ext4 -q -F -J size=4 -E lazy_itable_init=0,lazy_journal_init=0 /dev/mapper/\(name)
            mount /dev/mapper/\(name) disk
            """)
        try mark("mounted")
    }

    func mark(_ text: String) throws { try run("dmsetup message \(name) 0 mark '\(text)'") }

    /// Removes the disk; afterwards the log is complete.
    func remove() throws {
        try mark("removed")
        try run("umount '\(folder)'; dmsetup remove --noudevrules --noudevsync \(name); losetup -D; sync")
    }

    /// Cuts the power at each flush, forced write and mark in the log after the mount; returns the number of cuts.
    ///
    /// For each cut, the function mounts the disk's contents at that moment, and calls `body` with the folder and the last
    /// mark of the test, or nil before the first one.
    func cutAtEachFlush(_ body: (_ folder: String, _ mark: String?) throws -> Void) throws -> Int {
        let log = try Data(contentsOf: URL(fileURLWithPath: scratch.path + "/log"), options: .alwaysMapped)
        let (entries, sectorSize) = Self.entries(of: log)
        let image = try FileHandle(forUpdating: try Self.makeFile(scratch.path + "/image", Self.megabytes))
        var mark: String?
        var count = 0
        for entry in entries {
            mark = entry.mark ?? mark
            try image.seek(toOffset: UInt64(entry.sector * sectorSize))
            try image.write(contentsOf: log.subdata(in: entry.offset..<entry.offset + entry.sectors * sectorSize))
            guard entry.isBoundary, let mark, mark != "removed" else { continue }
            count += 1
            // `body` gets a copy of the image, because a program that starts on the disk writes to it.
            try run(
                "cd '\(scratch.path)'; cp image cut.image; mount -o loop cut.image cut", remedy: "boundary \(count)")
            defer { try? run("umount '\(scratch.path)/cut'") }
            try body(scratch.path + "/cut", mark == "mounted" ? nil : mark)
        }
        return count
    }

    private static func makeFile(_ path: String, _ megabytes: Int) throws -> URL {
        let url = URL(fileURLWithPath: path)
        try Data(count: megabytes << 20).write(to: url)
        return url
    }

    private static func entries(of log: Data) -> (entries: [Entry], sectorSize: Int) {
        let number = { (offset: Int, bytes: Int) in
            (0..<bytes).reversed().reduce(0) { $0 << 8 | Int(log[log.startIndex + offset + $1]) }
        }
        precondition(number(0, 8) == 0x6a_7366_7773_6872, "no log of dm-log-writes")
        let (count, sectorSize) = (number(16, 8), number(24, 4))
        var entries: [Entry] = []
        var offset = sectorSize
        for _ in 0..<count {
            let (sector, sectors, flags, length) = (
                number(offset, 8), number(offset + 8, 8), number(offset + 16, 8), number(offset + 24, 8)
            )
            let (isFlush, isFUA) = (flags & 1 != 0, flags & 2 != 0)
            let (isDiscard, isMark) = (flags & 4 != 0, flags & 8 != 0)
            let text = isMark ? String(decoding: log[offset + 32..<offset + 32 + length], as: UTF8.self) : nil
            entries.append(
                Entry(
                    offset: offset + sectorSize, sector: isMark ? 0 : sector,
                    sectors: isDiscard || isMark ? 0 : sectors,
                    isBoundary: isFlush || isFUA || isMark,
                    mark: text?.trimmingCharacters(in: .controlCharacters)))
            offset += sectorSize + (isDiscard ? 0 : sectors * sectorSize)
        }
        return (entries, sectorSize)
    }

    private func run(_ text: String, remedy: String = "") throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-e", "-c", "export DM_DISABLE_UDEV=1 PATH=$PATH:/sbin:/usr/sbin; " + text]
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw ShellFailed(text: text, remedy: remedy) }
    }

    struct ShellFailed: Error {
        let text: String
        let remedy: String
    }
}
