import ArgumentParser
import FoundationEssentials
import Glibc

/// `trackerd page`: serves the page for a browser, which is a program of its own.
struct PageCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "page", abstract: "Serves a page for a browser: the vehicle live, its trips and the queue.",
        discussion: """
            The command starts the program trackerd-page with the same options; `trackerd page --help` lists them. \
            Without options, only browsers of this computer can open the page, at http://127.0.0.1:8080.
            """)

    @Argument(parsing: .captureForPassthrough, help: "The options of trackerd-page.")
    var options: [String] = []

    func run() throws {
        let folder = Executable.path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        let program = folder.joined(separator: "/") + "/trackerd-page"
        var arguments = ([program] + options).map { strdup($0) } + [nil]
        execv(program, &arguments)
        throw MissingPage(program: program, cause: String(cString: strerror(errno)))
    }
}

/// The program of the page could not be started.
struct MissingPage: Error, CustomStringConvertible {
    let program: String
    let cause: String

    var description: String {
        "\(program) cannot be started (\(cause)). Install the package again, or build it with `make release`."
    }
}
