import FoundationEssentials

/// The model of this computer, from its device tree.
package struct ComputerModel: Sendable, Hashable {
    package static let automatic = "auto"

    /// The name in the device tree, such as `Raspberry Pi 4 Model B Rev 1.4`.
    package let name: String

    package init(name: String) { self.name = name }

    /// Nil without a device tree, as on a PC.
    package static var this: ComputerModel? { read("/proc/device-tree/model").map(ComputerModel.init) }

    package static var serialNumber: String? { read("/proc/device-tree/serial-number") }

    package func isA(_ model: String) -> Bool { name == model || name.hasPrefix(model + " ") }

    /// The text ends with a zero byte.
    private static func read(_ path: String) -> String? {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        let text = String(decoding: data.prefix { $0 != 0 }, as: UTF8.self)
        return text.isEmpty ? nil : text
    }
}
