import FoundationEssentials

/// The model of this computer, from its device tree.
package struct ComputerModel: Sendable, Hashable {
    /// The name that stands for the board of this computer.
    package static let automatic = "auto"

    /// The name in the device tree, such as `Raspberry Pi 4 Model B Rev 1.4`.
    package let name: String

    package init(name: String) { self.name = name }

    /// The model of this computer; nil if the computer has no device tree, like a PC.
    package static var this: ComputerModel? { read("/proc/device-tree/model").map(ComputerModel.init) }

    /// The serial number of this computer; nil if the computer has none.
    package static var serialNumber: String? { read("/proc/device-tree/serial-number") }

    /// Returns whether this computer is of the given model, in any revision.
    package func isA(_ model: String) -> Bool { name == model || name.hasPrefix(model + " ") }

    /// Reads a text of the device tree, which ends with a zero byte.
    private static func read(_ path: String) -> String? {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        let text = String(decoding: data.prefix { $0 != 0 }, as: UTF8.self)
        return text.isEmpty ? nil : text
    }
}
