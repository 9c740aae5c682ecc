import ArgumentParser
import FoundationEssentials
import Glibc

struct PageCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "page",
        abstract: "Serves a web page that shows the vehicle's present position, its trips and the queue.",
        discussion: """
            The command starts the program trackerd-page with the same options; `trackerd page --help` lists them. \
            Without options, only browsers on this computer can open the page, at http://127.0.0.1:8080.
            """)

    @Argument(parsing: .captureForPassthrough, help: "The options of trackerd-page.")
    var options: [String] = []

    func run() throws {
        let folder = Executable.path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        let program = folder.joined(separator: "/") + "/trackerd-page"
        var arguments = ([program] + options).map { strdup($0) } + [nil]
        execv(program, &arguments)
        let cause = String(cString: strerror(errno))
        throw CommandError(
            "trackerd cannot start \(program) (\(cause)). Install the package again, or build it with `make release`.")
    }
}
