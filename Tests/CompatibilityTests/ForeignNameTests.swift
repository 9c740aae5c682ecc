import Testing
import TrackingOptions

@testable import Compatibility

@Suite("The keys of another product")
struct ForeignNameTests {
    @Test("No product has one key for two options.", arguments: OptionSystem.allCases)
    func unique(system: OptionSystem) {
        let keys = ForeignName.all.filter { $0.system == system }.map(\.key)
        #expect(Set(keys).count == keys.count)
        #expect(Set(keys).isDisjoint(with: system.keysWithoutEffect))
    }

    @Test("Each key of another product means an option that exists.", arguments: ForeignName.all)
    func known(name: ForeignName) {
        #expect(TrackingOption.named(name.option) != nil)
    }
}
