import Foundation

/// Validates JSON by a JSON Schema, with the keywords that the schemas in docs use.
///
/// The check is stricter than the standard in one point: members that the schema does not name are violations.
struct SchemaCheck {
    private let root: [String: Any]

    static let docs = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("docs")

    init(_ format: String = "geojson") throws {
        let file = Self.docs.appendingPathComponent("\(format).schema.json")
        root = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any] ?? [:]
    }

    func violations(_ json: [UInt8]) throws -> [String] {
        let value = try JSONSerialization.jsonObject(with: Data(json))
        return check(value, root, "$") + unnamed(value, [root], "$")
    }

    private func check(_ value: Any, _ schema: [String: Any], _ path: String) -> [String] {
        var faults: [String] = []
        func expect(_ isGood: Bool, _ word: String) { if !isGood { faults.append("\(path): \(word)") } }
        if let reference = schema["$ref"] as? String { return check(value, resolve(reference), path) }
        if let type = schema["type"] as? String { expect(Self.type(of: value, is: type), "is no \(type)") }
        if let types = schema["type"] as? [String] {
            expect(types.contains { Self.type(of: value, is: $0) }, "is none of \(types)")
        }
        if let constant = schema["const"] { expect(Self.equal(value, constant), "is not \(constant)") }
        if let words = schema["enum"] as? [String] { expect(words.contains("\(value)"), "\(value) is not among them") }
        if let number = value as? Double {
            expect(number >= schema["minimum"] as? Double ?? -.infinity, "is too small")
            expect(number <= schema["maximum"] as? Double ?? .infinity, "is too large")
        }
        if let choices = schema["oneOf"] as? [[String: Any]] {
            expect(choices.count { check(value, $0, path).isEmpty } == 1, "fits not one of the choices")
        }
        for part in schema["allOf"] as? [[String: Any]] ?? [] {
            guard let condition = part["if"] as? [String: Any], check(value, condition, path).isEmpty else { continue }
            faults += check(value, part["then"] as? [String: Any] ?? [:], path)
        }
        if let object = value as? [String: Any] { faults += check(object, schema, path) }
        if let array = value as? [Any] { faults += check(array, schema, path) }
        return faults
    }

    private func check(_ object: [String: Any], _ schema: [String: Any], _ path: String) -> [String] {
        let required = schema["required"] as? [String] ?? []
        let properties = schema["properties"] as? [String: [String: Any]] ?? [:]
        let missing = required.filter { object[$0] == nil }.map { "\(path): \($0) is missing" }
        return missing
            + properties.keys.sorted().flatMap { key in
                object[key].map { check($0, properties[key] ?? [:], "\(path).\(key)") } ?? []
            }
    }

    private func check(_ array: [Any], _ schema: [String: Any], _ path: String) -> [String] {
        var faults: [String] = []
        if array.count < schema["minItems"] as? Int ?? 0 { faults.append("\(path): has too few items") }
        if array.count > schema["maxItems"] as? Int ?? .max { faults.append("\(path): has too many items") }
        let first = schema["prefixItems"] as? [[String: Any]] ?? []
        let each = schema["items"] as? [String: Any] ?? [:]
        for (index, item) in array.enumerated() {
            faults += check(item, index < first.count ? first[index] : each, "\(path)[\(index)]")
        }
        return faults
    }

    /// Returns the keys that no schema for this value names.
    private func unnamed(_ value: Any, _ schemas: [[String: Any]], _ path: String) -> [String] {
        let all = schemas.flatMap(spread)
        if let array = value as? [Any] {
            let each = all.compactMap { $0["items"] as? [String: Any] }
            return array.enumerated().flatMap { unnamed($1, each, "\(path)[\($0)]") }
        }
        guard let object = value as? [String: Any] else { return [] }
        // The user chooses the keys of this object, so the schema cannot name them.
        if all.contains(where: { $0["additionalProperties"] != nil }) { return [] }
        return object.keys.sorted().flatMap { key -> [String] in
            let named = all.compactMap { ($0["properties"] as? [String: [String: Any]])?[key] }
            return named.isEmpty
                ? ["\(path): \(key) is not described"] : unnamed(object[key] ?? "", named, "\(path).\(key)")
        }
    }

    /// Returns a schema and the schemas that are its parts.
    private func spread(_ schema: [String: Any]) -> [[String: Any]] {
        let parts =
            (schema["oneOf"] as? [[String: Any]] ?? [])
            + (schema["allOf"] as? [[String: Any]] ?? []).compactMap { $0["then"] as? [String: Any] }
        let referred = (schema["$ref"] as? String).map { [resolve($0)] } ?? []
        return [schema] + (parts + referred).flatMap(spread)
    }

    private func resolve(_ reference: String) -> [String: Any] {
        reference.dropFirst(2).split(separator: "/").reduce(root) { $0[String($1)] as? [String: Any] ?? [:] }
    }

    private static func equal(_ value: Any, _ other: Any) -> Bool { "\(value)" == "\(other)" }

    private static func type(of value: Any, is type: String) -> Bool {
        let number = value as? NSNumber
        let isFlag = number.map { String(cString: $0.objCType) == "c" } ?? false
        switch type {
        case "object": return value is [String: Any]
        case "array": return value is [Any]
        case "string": return value is String
        case "null": return value is NSNull
        case "boolean": return isFlag
        case "number": return number != nil && !isFlag
        case "integer": return !isFlag && number.map { $0.doubleValue == $0.doubleValue.rounded() } ?? false
        default: return false
        }
    }
}
