import Testing
import TrackingOptions

@testable import Compatibility

@Suite("The keys of other products")
struct ForeignNameTests {
    @Test("Every key of a product names one option.", arguments: OptionSystem.allCases)
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
