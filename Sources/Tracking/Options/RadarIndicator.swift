/// Radar's three keys for what a phone shows while it tracks; here a light.
///
/// iOS has a blue bar, Android a notification, which can be shown at updates only.
struct RadarIndicator {
    private var first: OptionTree.Entry?
    private var blueBar: Bool?
    private var service: Bool?
    private var hasServiceOptions = false
    private var updatesOnly = false

    /// Reads one of the keys; says whether its value was understood.
    mutating func read(_ entry: OptionTree.Entry) -> Bool {
        if entry.value == .empty { return true }
        first = first ?? entry
        switch (entry.key, entry.value) {
        case ("foregroundService", .mapping(let parts)):
            hasServiceOptions = true
            // Texts, icons and channels have no place on a board.
            guard let part = parts.first(where: { $0.key == "updatesOnly" }), part.value != .empty else { return true }
            guard let flag = Self.flag(part.value) else { return false }
            updatesOnly = flag
        case ("showBlueBar", let value):
            guard let flag = Self.flag(value) else { return false }
            blueBar = flag
        case (_, let value):
            guard let flag = Self.flag(value) else { return false }
            service = flag
        }
        return true
    }

    /// When the light shows, and the key that is to be named for it; nothing when none of the keys was there.
    var result: (OptionTree.Entry, Indicator)? {
        guard let first else { return nil }
        let isShown = blueBar == true || service ?? hasServiceOptions
        return (first, isShown ? (updatesOnly ? .updates : .always) : .off)
    }

    private static func flag(_ value: OptionTree) -> Bool? {
        guard case .text(let text) = value else { return nil }
        return OptionKind.flag.value(of: text).map { $0 == .flag(true) }
    }
}
