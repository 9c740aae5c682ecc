package import Hardware

/// A key of the section `board`, which overrides the board's file; `value` is YAML in one line.
package struct BoardChange: Sendable, Hashable {
    package let key: String
    package private(set) var value: String

    package init(_ key: String, _ value: String) {
        self.key = key
        self.value = value
    }

    package static let interrupt = "accelerometer.interrupt"

    package static func removal(of key: String, from board: BoardDescription?) -> [BoardChange] {
        // `wakeUp: line` needs the accelerometer's interrupt line.
        let partners = board?.wakeUp == .line ? [BoardChange("wakeUp", "none")] : []
        switch key {
        case "receiverPower": return [BoardChange(key, "{kind: none}")]
        case "accelerometer": return [BoardChange(key, "none")] + partners
        case interrupt: return [BoardChange("accelerometer", "{interrupt: none}")] + partners
        default: return [BoardChange(key, "none")]
        }
    }
}

extension [BoardChange] {
    /// Adds changes. Under one key, two mappings become one, and any other value replaces the former one.
    package mutating func merge(_ others: [BoardChange]) {
        for other in others {
            guard let index = firstIndex(where: { $0.key == other.key }) else {
                append(other)
                continue
            }
            let former = self[index].value
            guard !former.contains(other.value.dropFirst()) else { continue }
            let isMapping = former.hasSuffix("}") && other.value.hasPrefix("{")
            self[index] = BoardChange(
                other.key, isMapping ? "\(former.dropLast()), \(other.value.dropFirst())" : other.value)
        }
    }
}

extension BoardDescription {
    /// The keys of the parts that drive an output of the board.
    package var outputs: [String] {
        var keys: [String] = []
        if case .rail = receiverPower.kind { keys.append("receiverPower") }
        if case .line = indicator { keys.append("indicator") }
        return keys
    }

    /// The changes also remove every part that uses a line of the accelerometer's bus, even the accelerometer's own interrupt,
    /// and with it `wakeUp: line`.
    package func changes(toUse model: String, at address: UInt8, on bus: String) -> [BoardChange] {
        var changes = [BoardChange("accelerometer", "{bus: \(bus), chip: \(model), address: \(address.hexadecimal)}")]
        for (key, line) in lines {
            guard let lines = BusLines(of: bus, on: line.chip, header), let number = line.number,
                [lines.data, lines.clock].contains(number)
            else { continue }
            let part = key == BoardChange.interrupt ? key : String(key.prefix { $0 != "." })
            changes.merge(BoardChange.removal(of: part, from: self))
        }
        if bus != accelerometer?.bus, let header, let lines = BusLines(of: bus, on: header.chip, header) {
            changes.append(BoardChange("header", "{data: \(lines.data), clock: \(lines.clock)}"))
        }
        return changes
    }
}

extension BoardDescription {
    /// Contains no line of a bus or of the header.
    package var lines: [(key: String, line: LineReference)] {
        var rail: LineReference?
        if case .rail(let line) = receiverPower.kind { rail = line }
        var light: LineReference?
        if case .line(let line) = indicator { light = line }
        let all: [(key: String, line: LineReference?)] = [
            (BoardChange.interrupt, accelerometer?.interrupt), ("receiverPower.line", rail),
            ("receiverPower.transmit", receiverPower.transmit), ("receiverPower.reset", receiverPower.reset),
            ("ignition", supply.ignition), ("private", privateSwitch), ("powerFail", supply.powerFail),
            ("indicator.line", light),
        ]
        return all.compactMap { key, line in line.map { (key, $0) } }
    }
}

extension UInt8 {
    package var hexadecimal: String {
        let digits = String(self, radix: 16)
        return "0x" + (digits.count < 2 ? "0" : "") + digits
    }
}
