package import Quantities

extension Duration {
    /// So many minutes.
    package static func minutes(_ count: Int) -> Duration { .seconds(count * 60) }
}

extension Metres {
    /// So many kilometres.
    package static func kilometres(_ count: Double) -> Metres { Metres(count * 1000) }
}

extension MetresPerSecond {
    /// So many kilometres an hour.
    package static func kilometresAnHour(_ count: Double) -> MetresPerSecond { MetresPerSecond(count / 3.6) }
}
