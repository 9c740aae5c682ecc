package import Tracking

/// Something that one of the five source documents has, what stands for it here, and the test that proves it.
package struct SeedRow: Sendable, Hashable {
    /// What it is in its document.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case option, mode, preset, callback, rule
    }

    /// What it is in its document.
    package let kind: Kind
    /// Its name there; a rule in our words.
    package let name: String
    /// What stands for it here; nothing when it is built in, or when it has no meaning on this device.
    package let here: [Counterpart]
    /// What there is to know about the difference.
    package let remark: String
    /// What proves it; nothing only where it has no meaning on this device, which the remark explains.
    package let proof: Proof?

    /// An option that is not in the table of tracking options.
    static func option(_ name: String, _ here: [Counterpart], _ remark: String = "", by proof: Proof) -> SeedRow {
        SeedRow(kind: .option, name: name, here: here, remark: remark, proof: proof)
    }

    /// A mode of recording.
    static func mode(_ name: String, _ here: [Counterpart], _ remark: String = "", by proof: Proof) -> SeedRow {
        SeedRow(kind: .mode, name: name, here: here, remark: remark, proof: proof)
    }

    /// A named set of options.
    static func preset(_ name: String, _ profile: String, by proof: Proof) -> SeedRow {
        SeedRow(kind: .preset, name: name, here: [.profile(profile)], remark: "", proof: proof)
    }

    /// Something that a program calls, reads, or is told.
    static func callback(_ name: String, _ here: [Counterpart], _ remark: String = "", by proof: Proof) -> SeedRow {
        SeedRow(kind: .callback, name: name, here: here, remark: remark, proof: proof)
    }

    /// Something that always holds.
    static func rule(_ name: String, _ here: [Counterpart] = [], _ remark: String = "", by proof: Proof) -> SeedRow {
        SeedRow(kind: .rule, name: name, here: here, remark: remark, proof: proof)
    }

    /// Something that has no meaning on this device.
    static func none(_ kind: Kind, _ name: String, because remark: String) -> SeedRow {
        SeedRow(kind: kind, name: name, here: [], remark: remark, proof: nil)
    }
}

/// What stands here for something of a source document.
package enum Counterpart: Sendable, Hashable {
    /// A tracking option, by its key.
    case option(String)
    /// A profile, by its name.
    case profile(String)
    /// A command of the program, without the name of the program.
    case command(String)
    /// A section of the configuration.
    case section(String)
    /// A record.
    case record(Record.Kind)
    /// A function of the library.
    case function(String)
}

/// A test that proves a row.
package struct Proof: Sendable, Hashable {
    /// Its file, in `Tests`, without `.swift`.
    package let file: String
    /// What it says.
    package let test: String

    init(_ file: String, _ test: String) {
        self.file = file
        self.test = test
    }

    /// A test of the core.
    static func core(_ file: String, _ test: String) -> Proof { Proof("TrackingTests/\(file)", test) }

    /// A test of another target; `file` is its path below `Tests`.
    static func file(_ file: String, _ test: String) -> Proof { Proof(file, test) }
}
