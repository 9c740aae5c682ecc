import Foundation
import Peers

/// A library that makes operations on files fail in the program that loads it (`scripts/lib/disk_fault.c`).
///
/// The operations are changes to files in a folder, and reads that include a given byte of a file.
final class FaultyDisk {
    static var isAvailable: Bool { Child.find("cc") != nil }

    /// A program with these variables in its environment loads the library.
    let environment: [String: String]
    private let scratch: Scratch

    /// Builds the library; `begin` and `hang` affect only files in this folder.
    init(on folder: String) throws {
        scratch = try Scratch()
        environment = [
            "LD_PRELOAD": try Self.library("disk_fault", in: scratch), "DISK_FAULT_FOLDER": folder,
            "DISK_FAULT_SWITCH": scratch.path + "/switch",
            "DISK_FAULT_UNREADABLE": scratch.path + "/unreadable",
        ]
    }

    /// Builds a library of `scripts/lib` for LD_PRELOAD; returns its path.
    static func library(_ name: String, in scratch: Scratch) throws -> String {
        let library = "\(scratch.path)/\(name).so"
        let source = "\(Daemon.root.path)/scripts/lib/\(name).c"
        try Child(Child.find("cc") ?? "cc", ["-shared", "-fPIC", "-o", library, source, "-ldl"]).wait()
        return library
    }

    /// Makes all operations that change files in the folder fail with this errno from now on.
    func begin(_ errno: Int32) throws { try scratch.write("\(errno)\n", to: "switch") }

    /// Makes all operations that change files in the folder wait from now on, as with a failing memory card.
    func hang() throws { try scratch.write("hang\n", to: "switch") }

    /// Makes each read that includes this byte of the file fail, even after the file is renamed.
    func loseByte(at offset: Int, of file: String) throws {
        let number = try FileManager.default.attributesOfItem(atPath: file)[.systemFileNumber] as? Int
        try scratch.write("\(number ?? 0) \(offset)\n", to: "unreadable")
    }

    /// Ends the fault that `begin` or `hang` began.
    func end() throws { try FileManager.default.removeItem(atPath: scratch.path + "/switch") }
}
