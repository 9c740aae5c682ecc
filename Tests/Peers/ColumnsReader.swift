import Foundation

/// The reader of the format `columns` that the project publishes (docs/columns.py), in a separate process.
package enum ColumnsReader {
    /// Returns the features of each body, in order; every feature as JSON with sorted keys.
    package static func features(of bodies: [String]) throws -> [[String]] {
        guard let python = WebServer.python else { throw PeerMissing(name: "python3") }
        let scratch = try Scratch()
        try scratch.write(bodies.map { $0 + "\n" }.joined(), to: "bodies")
        let child = try Child(python, ["-c", script, folder, scratch.path])
        child.wait()
        guard child.status == 0 else { throw PeerMissing(name: "docs/columns.py without an error") }
        return scratch.lines(of: "features").map { features(in: "{\"features\":\($0)}") }
    }

    /// Returns the features of a collection as JSON with sorted keys.
    package static func features(in collection: String) -> [String] {
        let object = (try? JSONSerialization.jsonObject(with: Data(collection.utf8))) as? [String: Any]
        return (object?["features"] as? [[String: Any]] ?? []).map { feature in
            let data = try? JSONSerialization.data(withJSONObject: feature, options: .sortedKeys)
            return String(decoding: data ?? Data(), as: UTF8.self)
        }
    }

    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("docs").path

    private static let script = #"""
        import json, sys
        sys.dont_write_bytecode = True
        sys.path.insert(0, sys.argv[1])
        import columns
        with open(sys.argv[2] + "/bodies", "rb") as bodies, open(sys.argv[2] + "/features", "w") as out:
            for body in bodies: print(json.dumps(columns.features(columns.batch(body))), file=out)
        """#
}
