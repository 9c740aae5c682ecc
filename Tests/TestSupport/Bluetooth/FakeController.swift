/// Implements the reset, the query of the features and the scan commands, and refuses wrong scan commands like a real controller.
package struct FakeController: Sendable, Hashable {
    package struct Scan: Sendable, Hashable {
        /// Whether the scan uses the commands of Bluetooth 5.0.
        package var isExtended = false
        /// Whether the controller sends scan requests.
        package var isActive = false
        /// The scan interval in units of 0.625 ms.
        package var interval: UInt16 = 0
        /// The scan window in units of 0.625 ms.
        package var window: UInt16 = 0
        package var filtersDuplicates = false
    }

    /// Whether the controller supports the commands of Bluetooth 5.0.
    package var knowsExtended = true
    /// The status with which the controller refuses all supported scan commands; nil to behave like a real controller.
    package var refusal: UInt8?
    /// The present scan; nil if the controller does not scan.
    package private(set) var scan: Scan?

    private var settings = Scan()
    /// Whether the first scan command was an extended one; nil before that command and after a reset.
    ///
    /// The controller refuses later commands of the other kind.
    private var usesExtended: Bool?
    private var heard: Set<[UInt8]> = []

    package init() {}

    /// Executes a command packet, which includes the type byte; returns the event packet with the answer.
    ///
    /// The answer to a malformed packet is empty.
    package mutating func answer(_ command: [UInt8]) -> [UInt8] {
        guard command.count >= 4, command[0] == 0x01, Int(command[3]) == command.count - 4 else { return [] }
        let parameters = Array(command[4...])
        let returned: [UInt8]
        switch (command[2], command[1]) {
        case (0x0C, 0x03): returned = reset()
        case (0x20, 0x03): returned = [0x00, 0x00, knowsExtended ? 0x10 : 0x00, 0, 0, 0, 0, 0, 0]
        case (0x20, 0x0B): returned = [set(parameters, 7, isExtended: false)]
        case (0x20, 0x0C): returned = [enable(parameters, 2, isExtended: false)]
        case (0x20, 0x41): returned = [set(parameters, 8, isExtended: true)]
        case (0x20, 0x42): returned = [enable(parameters, 6, isExtended: true)]
        default: returned = [Self.unknownCommand]
        }
        return [0x04, 0x0E, UInt8(3 + returned.count), 0x01, command[1], command[2]] + returned
    }

    /// Returns the event packet for an advertisement; nil if no scan runs, or if the controller drops a duplicate.
    package mutating func report(_ data: [UInt8], rssi: Int8) -> [UInt8]? {
        guard let scan else { return nil }
        let isNew = heard.insert(data).inserted
        guard isNew || !scan.filtersDuplicates else { return nil }
        return scan.isExtended ? Self.extended(data, rssi: rssi) : Self.legacy([data], rssi: rssi)
    }

    /// Returns one event packet with a legacy report of each advertisement, all from the same address.
    package static func legacy(_ advertisements: [[UInt8]], rssi: Int8) -> [UInt8] {
        let reports: [UInt8] = advertisements.flatMap { data -> [UInt8] in
            [0x03, 0x01] + address + [UInt8(data.count)] + data + [UInt8(bitPattern: rssi)]
        }
        return [0x04, 0x3E, UInt8(2 + reports.count), 0x02, UInt8(advertisements.count)] + reports
    }

    private static func extended(_ data: [UInt8], rssi: Int8) -> [UInt8] {
        let head: [UInt8] = [0x10, 0x00, 0x01] + address + [0x01, 0x00, 0xFF, 0x7F, UInt8(bitPattern: rssi)]
        let report = head + Array(repeating: 0, count: 9) + [UInt8(data.count)] + data
        return [0x04, 0x3E, UInt8(2 + report.count), 0x0D, 0x01] + report
    }

    private mutating func reset() -> [UInt8] {
        (scan, usesExtended, settings) = (nil, nil, Scan())
        return [Self.success]
    }

    private mutating func set(_ parameters: [UInt8], _ length: Int, isExtended: Bool) -> UInt8 {
        if let status = objection(parameters, length, isExtended) { return status }
        guard scan == nil else { return Self.disallowed }
        // The extended command begins with address type, filter policy and PHYs.
        let rest = parameters.dropFirst(isExtended ? 3 : 0)
        let numbers = rest.dropFirst().prefix(4).map(UInt16.init)
        let (interval, window) = (numbers[1] << 8 | numbers[0], numbers[3] << 8 | numbers[2])
        guard window <= interval, isExtended || (0x0004...0x4000).contains(interval) else { return Self.invalid }
        settings = Scan(isExtended: isExtended, isActive: rest.first == 1, interval: interval, window: window)
        return Self.success
    }

    private mutating func enable(_ parameters: [UInt8], _ length: Int, isExtended: Bool) -> UInt8 {
        if let status = objection(parameters, length, isExtended) { return status }
        settings.filtersDuplicates = parameters[1] != 0
        scan = parameters[0] == 0 ? nil : settings
        heard = []
        return Self.success
    }

    private mutating func objection(_ parameters: [UInt8], _ length: Int, _ isExtended: Bool) -> UInt8? {
        guard parameters.count == length else { return Self.invalid }
        guard !isExtended || knowsExtended else { return Self.unknownCommand }
        if let refusal { return refusal }
        guard usesExtended == nil || usesExtended == isExtended else { return Self.disallowed }
        usesExtended = isExtended
        return nil
    }

    private static let address: [UInt8] = [0x02, 0x00, 0x01, 0x00, 0xBE, 0xC0]
    /// Statuses of the Core Specification, volume 1, part F.
    private static let success: UInt8 = 0x00
    private static let unknownCommand: UInt8 = 0x01
    private static let disallowed: UInt8 = 0x0C
    private static let invalid: UInt8 = 0x12
}
