/// A program that holds a line.
package struct LineHolder: Sendable, Hashable, CustomStringConvertible {
    /// Its name.
    package var name: String
    /// The number of its process.
    package var process: Int

    /// Such as `gpiomon (process 812)`.
    package var description: String { "\(name) (process \(process))" }

    /// Looks through the processes for the one that holds a line of a chip; those of other users are hidden from most users.
    ///
    /// Of a descriptor of the kernel's second interface for lines the kernel tells the line (since 5.19); one of the first
    /// counts when its program calls itself what the line's consumer is called.
    package static func find(chip: String, offset: Int, consumer: String, in root: String = "/proc") -> LineHolder? {
        for process in Pseudofile.names(in: root).compactMap(Int.init).sorted() {
            let folder = "\(root)/\(process)"
            let program = Self(name: Pseudofile.text(of: "\(folder)/comm"), process: process)
            for descriptor in Pseudofile.names(in: "\(folder)/fd") {
                switch Pseudofile.target(of: "\(folder)/fd/\(descriptor)") {
                case "anon_inode:gpio-line":
                    let info = Pseudofile.text(of: "\(folder)/fdinfo/\(descriptor)")
                    if tells(info, chip: chip, offset: offset) { return program }
                case "anon_inode:gpio-linehandle", "anon_inode:gpio-event":
                    if program.name == consumer { return program }
                default: break
                }
            }
        }
        return nil
    }

    private static func tells(_ info: String, chip: String, offset: Int) -> Bool {
        let words = info.split(separator: "\n").map { $0.split { $0 == "\t" || $0 == " " } }
        return words.contains(["gpio-chip:", chip[...]]) && words.contains(["gpio-line:", "\(offset)"[...]])
    }
}
