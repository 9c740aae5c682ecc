import Glibc
import Hardware

/// A light of the kernel, in `/sys/class/leds`; it is put out when the program ends.
package final class LEDIndicator: Indicator {
    package private(set) var complaint: String?

    private let folder: String

    /// Names a light; `root` is where the kernel lists them.
    package init(_ name: String, root: String = "/sys/class/leds") { folder = "\(root)/\(name)" }

    deinit { if complaint == nil { _ = write("0", to: "brightness") } }

    package func show(isLit: Bool) {
        // A trigger of the kernel's, such as disk activity, would go on to switch the light; some kernels have none.
        _ = write("none", to: "trigger")
        complaint = write(isLit ? brightest : "0", to: "brightness").map {
            "\(folder): cannot be switched (\($0)). "
                + "See what `ls /sys/class/leds` lists, and whether trackerd's udev rules are installed."
        }
    }

    /// What the kernel calls full brightness; 1 where it does not say.
    private var brightest: String {
        let file = open("\(folder)/max_brightness", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "1" }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = read(file, &bytes, bytes.count)
        let digits = bytes.prefix(max(0, count)).prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return digits.isEmpty ? "1" : String(decoding: digits, as: UTF8.self)
    }

    /// Writes a file of the light; the reason when that is impossible.
    private func write(_ text: String, to name: String) -> String? {
        let file = open("\(folder)/\(name)", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return String(cString: strerror(errno)) }
        defer { close(file) }
        let bytes = Array(text.utf8)
        return Glibc.write(file, bytes, bytes.count) == bytes.count ? nil : String(cString: strerror(errno))
    }
}
