import Quantities
import TrackingOptions

enum ServerLimitsSection {
    static func read(_ file: inout MappingReader) -> ServerLimits {
        file.mapping("serverLimits") { section in
            var limits = ServerLimits()
            limits.interval = section.duration("interval", .seconds(60) ... .seconds(86_400)) ?? limits.interval
            limits.distance = section.integer("distance", 10...1_000_000).map { Metres(Double($0)) } ?? limits.distance
            limits.accuracy = section.integer("accuracy", 5...10_000).map { Metres(Double($0)) } ?? limits.accuracy
            return limits
        } ?? ServerLimits()
    }
}
