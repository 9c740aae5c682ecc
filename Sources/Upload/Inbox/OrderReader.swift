internal import Calendar
internal import JSON
internal import Quantities
package import Tracking

/// Reads the orders in a message of a target's server, and checks each against the target's permissions. A message is
/// one order, a list of orders, or an object with the list under `orders`. Other members of a list, such as the
/// locations that OwnTracks Recorder returns, are ignored. An order is a request of docs/control.md with `id` and
/// `expires`, or a `cmd` message of OwnTracks.
package struct OrderReader: Sendable {
    package static let longest_bytes = 256 << 10
    /// The deepest nesting of brackets, which bounds the work.
    static let deepest = 8
    static let most = 64

    package typealias Reading = Result<StoredOrder, OrderError>

    let target: String
    /// Orders for other vehicles are ignored.
    let device: String
    let permissions: Set<RemotePermission>
    /// Makes an ID for an order whose form has none.
    let makeID: @Sendable () -> String

    /// The result is empty if no order is for this vehicle. Each order of a file needs an ID, because the file is read
    /// repeatedly.
    package func read(_ message: [UInt8], isFile: Bool = false) -> [Reading] {
        guard message.count <= Self.longest_bytes else { return [.failure(.malformed("is longer than 256 KiB"))] }
        let value: JSONValue
        do throws(JSONDocument.Fault) {
            value = try Self.value(message)
        } catch {
            return [.failure(.malformed(Self.words(for: error)))]
        }
        let orders = Self.list(value)
        guard orders.count <= Self.most else { return [.failure(.malformed("contains more than \(Self.most) orders"))] }
        return orders.compactMap { read($0, isFile) }
    }

    /// Reads the list as the request `regions`, with an ID that trackerd makes.
    package func readRegions(_ list: [UInt8]) -> Reading {
        guard list.count <= Self.longest_bytes else { return .failure(.regions("is longer than 256 KiB")) }
        let value: JSONValue
        do throws(JSONDocument.Fault) {
            value = try Self.value(list)
        } catch {
            return .failure(.regions(Self.words(for: error)))
        }
        let regions = value.members?["type"] == nil ? value.members?["regions"] ?? value : value
        return order(id: makeID(), ["request": .text("regions"), "regions": regions], expires: nil)
    }

    /// The length of the message bounds the number of its values.
    private static func value(_ message: [UInt8]) throws(JSONDocument.Fault) -> JSONValue {
        // Bytes that are not UTF-8 are replaced, so that a faulty letter in a text does not lose the order.
        let text = Array(String(decoding: message, as: UTF8.self).utf8)
        let document = try JSONDocument(reading: text, limits: .init(depth: deepest, values: longest_bytes))
        guard let value = JSONValue(document.root) else { throw .notJSON }
        return value
    }

    private static func words(for fault: JSONDocument.Fault) -> String {
        switch fault {
        case .notJSON: "is not JSON"
        case .tooDeep: "has more than \(deepest) levels of brackets"
        }
    }

    private static func list(_ value: JSONValue) -> [JSONValue] {
        if case .list(let list) = value { return list }
        if case .list(let list)? = value.members?["orders"] { return list }
        return [value]
    }

    /// Nil if the value is not an order, or not for this vehicle.
    private func read(_ value: JSONValue, _ isFile: Bool) -> Reading? {
        guard var members = value.members else { return nil }
        if members["_type"] == .text("cmd") {
            return isFile ? .failure(.actionInFile(members["action"]?.plainText ?? "")) : readAction(members)
        }
        guard let name = members["request"]?.plainText else { return nil }
        if let value = members["for"], !Self.isLength(value, of: name) {
            members["for"] = nil
            guard let audience = value.members, audience.count == 1, case .list(let devices)? = audience["devices"]
            else {
                return .failure(.withoutDevices(name))
            }
            guard devices.contains(where: { $0.plainText == device }) else { return nil }
        }
        return readRequest(name, members)
    }

    /// These requests read a length of time from `for` themselves.
    private static func isLength(_ value: JSONValue, of request: String) -> Bool {
        value.members == nil && ["private on", "awake on"].contains(request)
    }

    private func readRequest(_ name: String, _ members: [String: JSONValue]) -> Reading {
        guard let permission = RemotePermission.needed(forRequest: name) else { return .failure(.neverRemote(name)) }
        guard permissions.contains(permission) else { return .failure(.notPermitted(name, permission)) }
        guard case .text(let id)? = members["id"], Self.isID(id) else { return .failure(.withoutID(name)) }
        guard let expires = members["expires"].flatMap(Self.time) else { return .failure(.withoutExpiry(name)) }
        var rest = members
        rest["expires"] = nil
        return order(id: id, rest, expires: expires)
    }

    private func readAction(_ members: [String: JSONValue]) -> Reading {
        let name = members["action"]?.plainText ?? ""
        guard let permission = RemotePermission.needed(forAction: name) else { return .failure(.neverRemote(name)) }
        guard permissions.contains(permission) else { return .failure(.notPermitted(name, permission)) }
        return order(id: makeID(), members, expires: nil)
    }

    private func order(id: String, _ members: [String: JSONValue], expires: Timestamp?) -> Reading {
        guard let body = JSONValue.object(members).encoded else {
            return .failure(.malformed("contains a number that is not finite"))
        }
        return .success(
            StoredOrder(target: target, id: id, body: String(decoding: body, as: UTF8.self), expires: expires))
    }

    /// Returns whether the text has 1 to 64 printable ASCII characters, without spaces.
    static func isID(_ text: String) -> Bool {
        (1...OrderError.longestID).contains(text.utf8.count) && text.utf8.allSatisfy { (33...126).contains($0) }
    }

    /// Reads seconds since 1970, or a time such as 2026-05-04T10:00:00Z.
    private static func time(_ value: JSONValue) -> Timestamp? {
        switch value {
        case .integer(let seconds) where (0...253_402_300_799).contains(seconds):
            Timestamp(milliseconds: seconds * 1000)
        case .text(let text): ISO8601(text)?.timestamp()
        case .null, .flag, .integer, .number, .list, .object: nil
        }
    }
}
