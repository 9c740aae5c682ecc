import Devices
import Foundation
import Testing

@Suite("The program that uses a line")
final class LineHolderTests {
    private let root = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    deinit { try? FileManager.default.removeItem(at: root) }

    private func add(_ process: Int, _ name: String, link: String, info: String) throws {
        let folder = root.appendingPathComponent("\(process)")
        for part in ["fd", "fdinfo"] {
            try FileManager.default.createDirectory(
                at: folder.appendingPathComponent(part), withIntermediateDirectories: true)
        }
        try Data("\(name)\n".utf8).write(to: folder.appendingPathComponent("comm"))
        try Data(info.utf8).write(to: folder.appendingPathComponent("fdinfo/4"))
        try FileManager.default.createSymbolicLink(
            atPath: folder.appendingPathComponent("fd/4").path, withDestinationPath: link)
    }

    private func find(offset: Int, consumer: String) -> String? {
        LineHolder.find(chip: "gpiochip0", offset: offset, consumer: consumer, in: root.path)?.description
    }

    @Test("The program that uses a line is found by the kernel's information on the program's descriptors.")
    func told() throws {
        let info = "pos:\t0\nflags:\t02000000\nmnt_id:\t15\nino:\t1032\ngpio-chip:\tgpiochip0\ngpio-line:\t"
        try add(811, "gpiomon", link: "anon_inode:gpio-line", info: info + "17\n")
        try add(812, "lights.py", link: "anon_inode:gpio-line", info: info + "27\n")
        #expect(find(offset: 27, consumer: "lamp") == "lights.py (process 812)")
        #expect(find(offset: 2, consumer: "lamp") == nil)
    }

    @Test("The program that uses a line is found by name if the kernel has no information on descriptors.")
    func named() throws {
        try add(811, "gpioset", link: "anon_inode:gpio-linehandle", info: "pos:\t0\n")
        #expect(find(offset: 27, consumer: "gpioset") == "gpioset (process 811)")
        #expect(find(offset: 27, consumer: "lamp") == nil)
    }

    @Test("A program with other descriptors is not the line's user.")
    func others() throws {
        try add(811, "gpioset", link: "socket:[1234]", info: "pos:\t0\n")
        #expect(find(offset: 27, consumer: "gpioset") == nil)
    }
}
