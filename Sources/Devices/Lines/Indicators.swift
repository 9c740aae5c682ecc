package import Hardware
package import Quantities

/// An indicator on a GPIO line.
package final class LineIndicator: IndicatorLight {
    package var name: String { "light" }
    package var fault: (any Fault)? { error }

    private let reference: LineReference
    private let lines: any LineProvider
    private var line: (any OutputLine)?
    private var error: LineError?

    /// Makes a light; the first call of `show` requests the line.
    package init(_ reference: LineReference, on lines: any LineProvider) {
        self.reference = reference
        self.lines = lines
    }

    package func show(isLit: Bool) {
        do throws(LineError) {
            let level = isLit ? OutputLevel.active : .inactive
            if let line { try line.set(level) } else { line = try lines.output(reference, level) }
            error = nil
        } catch {
            // An unplugged chip may return, so the next call requests the line again.
            line = nil
            self.error = error
        }
    }

    /// Switches the light off.
    package func close(at now: Instant, by deadline: Instant) {
        try? line?.set(.inactive)
        line = nil
    }
}

/// An indicator of the kernel, in `/sys/class/leds`.
package final class LEDIndicator: IndicatorLight {
    package var name: String { "light" }
    package var fault: (any Fault)? { error }

    private let folder: String
    private var error: LEDError?

    /// Makes a light with this name; `root` is the folder in which the kernel lists its lights.
    package init(_ name: String, root: String = "/sys/class/leds") { folder = "\(root)/\(name)" }

    package func show(isLit: Bool) {
        // A trigger of the kernel, such as disk activity, would otherwise continue to switch the light. Some kernels have no
        // triggers.
        _ = write("none", to: "trigger")
        error = write(isLit ? maximumBrightness : "0", to: "brightness").map { LEDError(folder: folder, reason: $0) }
    }

    /// Switches the light off, unless the last attempt to switch it failed.
    package func close(at now: Instant, by deadline: Instant) {
        if error == nil { _ = write("0", to: "brightness") }
    }

    /// The kernel's value for full brightness; 1 if the kernel reports none.
    private var maximumBrightness: String {
        Int(Pseudofile.text(of: "\(folder)/max_brightness")).map(String.init) ?? "1"
    }

    /// Writes to a file of the light; returns why the write failed, or nil on success.
    private func write(_ text: String, to name: String) -> String? { Pseudofile.write(text, to: "\(folder)/\(name)") }
}

/// The program cannot switch a light of the kernel.
package struct LEDError: Fault {
    /// The folder of the light, such as `/sys/class/leds/ACT`.
    package let folder: String
    /// The system's reason.
    package let reason: String

    package var subject: String { folder }
    package var cause: String { "the light cannot be switched (\(reason))" }
    package var remedy: String? {
        "Run `ls /sys/class/leds` to list the lights, and check that trackerd's udev rules are installed."
    }
}
