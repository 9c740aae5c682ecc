import Hardware

/// A light of the kernel, in `/sys/class/leds`; it is put out when the program ends.
package final class LEDIndicator: IndicatorLight {
    package let name = "light"
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
    private var brightest: String { Int(Pseudofile.text(of: "\(folder)/max_brightness")).map(String.init) ?? "1" }

    /// Writes a file of the light; the reason when that is impossible.
    private func write(_ text: String, to name: String) -> String? { Pseudofile.write(text, to: "\(folder)/\(name)") }
}
