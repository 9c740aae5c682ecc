import FoundationEssentials

/// Where this program lies.
enum Executable {
    /// The path of the file, symbolic links resolved; its folders are where boards may be.
    static var path: String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
    }
}
