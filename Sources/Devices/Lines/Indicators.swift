package import Hardware
package import Quantities

package final class LineIndicator: IndicatorLight {
    package var name: String { "light" }
    package var fault: (any Fault)? { error }

    private let reference: LineReference
    private let lines: any LineProvider
    private var line: (any OutputLine)?
    private var error: LineError?

    /// The first call of `show` requests the line.
    package init(_ reference: LineReference, on lines: any LineProvider) {
        self.reference = reference
        self.lines = lines
    }

    package func show(isLit: Bool) {
        do throws(LineError) {
            try lines.set(&line, reference, isLit ? .active : .inactive)
            error = nil
        } catch {
            self.error = error
        }
    }

    package func close(at now: Instant, by deadline: Instant) {
        try? line?.set(.inactive)
        line = nil
    }
}

package final class LEDIndicator: IndicatorLight {
    package var name: String { "light" }
    package var fault: (any Fault)? { error }

    private let folder: String
    private var error: LEDError?

    package init(_ name: String, root: String = "/sys/class/leds") { folder = "\(root)/\(name)" }

    package func show(isLit: Bool) {
        // A trigger, such as disk activity, would continue to switch the light. Some kernels have no triggers.
        _ = write("none", to: "trigger")
        error = write(isLit ? maximumBrightness : "0", to: "brightness").map { LEDError(folder: folder, reason: $0) }
    }

    package func close(at now: Instant, by deadline: Instant) {
        if error == nil { _ = write("0", to: "brightness") }
    }

    /// 1 if the kernel reports none.
    private var maximumBrightness: String {
        Int(Pseudofile.text(of: "\(folder)/max_brightness")).map(String.init) ?? "1"
    }

    /// Returns why the write failed; nil on success.
    private func write(_ text: String, to name: String) -> String? { Pseudofile.write(text, to: "\(folder)/\(name)") }
}

package struct LEDError: Fault {
    package let folder: String
    package let reason: String

    package var subject: String { folder }
    package var cause: String { "the light cannot be switched (\(reason))" }
    package var remedy: String? {
        "Run `ls /sys/class/leds` to list the lights, and check that trackerd's udev rules are installed."
    }
}
