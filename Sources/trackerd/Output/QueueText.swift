import TrackerDaemon

/// The queue of each target, as lines for the terminal.
enum QueueText {
    static func lines(_ queue: ControlQueue) -> [String] {
        queue.targets.isEmpty ? ["no targets"] : queue.targets.flatMap(lines)
    }

    private static func lines(_ target: ControlQueue.Target) -> [String] {
        let waiting = "\(target.waiting)\(target.or_more ? " or more" : "") waiting"
        let rest = target.set_aside - target.records.count
        return ["\(target.name): \(waiting), \(target.set_aside) set aside"] + target.records.map(line)
            + (rest > 0 ? ["  and \(rest) more"] : [])
    }

    private static func line(_ record: ControlQueue.Record) -> String {
        let words = ["\(record.sequence)", record.time, record.kind ?? "no longer on the device", record.reason]
        return "  " + words.compactMap(\.self).joined(separator: "  ")
    }
}
