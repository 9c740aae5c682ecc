import Quantities

extension Drive {
    /// What was reported from `start` on and before `end`, counted from `start`; fixes keep their dates.
    package func part(from start: Duration = .zero, to end: Duration) -> Drive {
        var part = Drive()
        part.samples = Self.part(of: samples, from: start, to: end)
        part.fixes = Self.part(of: fixes, from: start, to: end)
        part.others = Self.part(of: others, from: start, to: end)
        return part
    }

    private static func part<Value>(of items: [Timed<Value>], from start: Duration, to end: Duration) -> [Timed<Value>]
    {
        items.filter { start <= $0.time && $0.time < end }.map { Timed($0.time - start, $0.value) }
    }
}
