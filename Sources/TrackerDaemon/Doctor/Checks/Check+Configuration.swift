extension Check {
    /// Whether the files of the configuration can be read, and name somebody to tell.
    static let configuration = Check("configuration", isVital: true) { facts in
        switch facts.configuration {
        case nil: return []
        case .wrong(let problems)?:
            return problems.map { .fault($0.description, "Then run `trackerd config check`.") }
        case .right(let path, 0, let notes)?:
            let mend = "Write one under `targets`, or export the records from here."
            return notes.map(note) + [.warning("\(path) names no target, so records go nowhere.", mend)]
        case .right(let path, let targets, let notes)?:
            return notes.map(note) + [
                .ok("\(path) is in order, with \(targets) \(targets == 1 ? "target" : "targets").")
            ]
        }
    }

    private static func note(_ text: String) -> Finding {
        .warning(text, "It is read over; leave it out when it is not meant.")
    }
}
