package enum Spelling {
    /// Returns the name that differs in the fewest letters; nil if more than a third of the word's letters differ. A single
    /// letter is never too many.
    package static func nearest(to word: String, among names: [String]) -> String? {
        let ranked = names.map { (distance: distance(word.lowercased(), $0.lowercased()), name: $0) }
        guard let best = ranked.min(by: { ($0.distance, $0.name) < ($1.distance, $1.name) }) else { return nil }
        return best.distance <= max(1, word.count / 3) ? best.name : nil
    }

    /// Levenshtein's distance.
    private static func distance(_ first: String, _ second: String) -> Int {
        let second = Array(second)
        var row = Array(0...second.count)
        for (index, letter) in first.enumerated() {
            var corner = row[0]
            row[0] = index + 1
            for (other, otherLetter) in second.enumerated() {
                let replaced = corner + (letter == otherLetter ? 0 : 1)
                corner = row[other + 1]
                row[other + 1] = min(replaced, corner + 1, row[other] + 1)
            }
        }
        return row[second.count]
    }
}
