// trackerd-page: the command line of the page; the target Page contains the page itself.

import ArgumentParser
import Glibc
import Page
import Quantities

@main
struct Main: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trackerd-page",
        abstract: "Serves a web page that shows the vehicle, its trips and the state of trackerd.",
        discussion: """
            The page runs in a separate process. It uses the daemon's read socket, and cannot change anything unless you add \
            --allow-actions. Without options, only browsers on this computer can open the page, at http://127.0.0.1:8080.
            """,
        version: "0.1.0",
        subcommands: [Serve.self, SetPassword.self], defaultSubcommand: Serve.self)
}

struct Serve: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Serves the page (the default command).")

    @Option(help: "The address and the port, such as 127.0.0.1:8080 or [::1]:8080, or the path of a Unix socket.")
    var listen = "127.0.0.1:8080"

    @Option(help: "The daemon's read socket.")
    var socket = "/run/trackerd/read.sock"

    @Flag(
        help:
            "Let the page locate the vehicle, mark it as moving or parked, change the mode, start, end and name trips, and send refused records again."
    )
    var allowActions = false

    @Option(help: "The daemon's control socket, for --allow-actions.")
    var controlSocket = "/run/trackerd/control.sock"

    @Option(help: "The file with the hash of the password; `trackerd-page set-password` creates it.")
    var passwordFile: String?

    @Option(
        name: .customLong("host"),
        help: "A name under which browsers reach the page, such as van1.local; may be repeated.")
    var hosts: [String] = []

    @Option(help: "The certificate for TLS, as a PEM file.")
    var certificate: String?

    @Option(help: "The key of the certificate, as a PEM file.")
    var key: String?

    @Flag(help: "A web server on this computer forwards the requests of browsers to the page, and adds TLS.")
    var behindProxy = false

    func validate() throws {
        guard ListenAddress(listen) != nil else {
            throw ValidationError("`\(listen)` is not an address. Write an address and a port, such as 127.0.0.1:8080.")
        }
    }

    func run() throws {
        guard let address = ListenAddress(listen) else { return }
        signal(SIGPIPE, SIG_IGN)
        let settings = PageSettings(
            listen: address, readSocket: socket, controlSocket: allowActions ? controlSocket : nil, names: hosts,
            passwordFile: passwordFile, certificate: certificate, key: key, isBehindProxy: behindProxy)
        let server = try PageServer(settings)
        print("The page is at \(server.url)")
        fflush(nil)
        server.run(clock: Self.now)
    }

    /// The time since boot, including suspend.
    private static func now() -> Instant {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return Instant(seconds: Double(time.tv_sec) + Double(time.tv_nsec) / 1e9)
    }
}

struct SetPassword: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set-password", abstract: "Asks for a password, and writes its hash to a file.",
        discussion: "The command reads the password from the terminal, or as one line from standard input.")

    @Argument(help: "The file to write, which only you can read afterwards.")
    var file: String

    func run() throws {
        let isTerminal = isatty(STDIN_FILENO) == 1
        guard isTerminal else { return try PasswordFile.write(Self.line(), to: file) }
        let first = try Self.hidden("New password: ")
        guard try Self.hidden("Repeat the password: ") == first else { throw ValidationError("The passwords differ.") }
        try PasswordFile.write(first, to: file)
        print("\(file) contains the hash of the password. Start the page with --password-file \(file).")
    }

    private static func line() -> [UInt8] { Array((readLine(strippingNewline: true) ?? "").utf8) }

    private static func hidden(_ prompt: String) throws -> [UInt8] {
        var before = termios()
        guard tcgetattr(STDIN_FILENO, &before) == 0 else {
            throw ValidationError("The terminal cannot hide a password.")
        }
        var quiet = before
        quiet.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &quiet)
        defer { tcsetattr(STDIN_FILENO, TCSAFLUSH, &before) }
        print(prompt, terminator: "")
        fflush(nil)
        let text = line()
        print("")
        return text
    }
}
