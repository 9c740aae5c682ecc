/// The table of all tracking options.
extension TrackingOption {
    /// All options, in the order in which they are shown.
    package static let all = accuracy + sampling + stops + recording + upload + schedule

    /// The option of that name.
    package static func named(_ key: String) -> TrackingOption? { all.first { $0.key == key } }

    /// The longest span that an option may have.
    static let day = Duration.seconds(86_400)
    /// The longest distance that an option may have: more than that is no option but a slip.
    static let farthest = 100_000.0
}
