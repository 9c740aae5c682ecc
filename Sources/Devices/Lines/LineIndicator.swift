package import Hardware

/// A light on a GPIO line; it is put out when the program ends.
package final class LineIndicator: Indicator {
    package private(set) var complaint: String?

    private let reference: LineReference
    private let lines: any LineProvider
    private var line: (any OutputLine)?

    /// Describes a light, whose line is taken when it is shown for the first time.
    package init(_ reference: LineReference, on lines: any LineProvider) {
        self.reference = reference
        self.lines = lines
    }

    deinit { try? line?.set(.inactive) }

    package func show(isLit: Bool) {
        do throws(LineError) {
            let level = isLit ? OutputLevel.active : .inactive
            if let line { try line.set(level) } else { line = try lines.output(reference, level) }
            complaint = nil
        } catch {
            // Taken anew the next time: a chip that was unplugged may be back.
            line = nil
            complaint = error.description
        }
    }
}
