@testable import Configuration
import Foundation
import Peers
import Testing
import Upload

@Suite("Secrets in the configuration")
struct SecretConfigurationTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        try scratch.write("hunter2\n", to: "secret")
        chmod(scratch.path + "/secret", 0o640)
    }

    @Test(
        "A secret comes from the configuration, a file, a credential of systemd, or the environment.",
        arguments: [
            "hunter2", "{file: FOLDER/secret}", "{credential: secret}", "{environment: VAN_PASSWORD}",
        ])
    func sources(written: String) throws {
        let configuration = try read("username: me", "password: " + written.replacing("FOLDER", with: scratch.path))
        #expect(try configuration.targets[0].access.login?.password.read().revealed == "hunter2")
        #expect(configuration.notes.isEmpty)
    }

    @Test("`passwordFile` is the short form, and a token, a header line and a proxy are secrets too.")
    func others() throws {
        let access = try read("username: me", "passwordFile: \(scratch.path)/secret").targets[0].access
        #expect(try access.login?.password.read().revealed == "hunter2")
        let target = try read(
            "token: {credential: secret}", "headers: {X-Key: {file: \(scratch.path)/secret}, X-Fleet: north}",
            "proxy: {environment: VAN_PROXY}"
        ).targets[0]
        #expect(try target.access.token?.read().revealed == "hunter2")
        let headers = try target.access.headers.map { try "\($0.name)=\($0.value.read().revealed)" }
        #expect(headers == ["X-Key=hunter2", "X-Fleet=north"])
        #expect(target.proxy?.description == "http://proxy.example:3128")
    }

    @Test(
        "A secret that cannot be read is an error with its line.",
        arguments: [
            (
                "{file: /nonexistent}",
                "`targets[1].token.file` must be a file that trackerd can read; `/nonexistent` is not."
            ),
            (
                "{credential: other}",
                "`targets[1].token.credential` must be a credential that the unit passes with `LoadCredential=`; `other` is not."
            ),
            (
                "{environment: VAN_TOKEN}",
                "`targets[1].token.environment` must be the name of an environment variable that is set; `VAN_TOKEN` is not."
            ),
            (
                "{file: /nonexistent, environment: VAN_PASSWORD}",
                "`targets[1].token.file` must be a file that trackerd can read; `/nonexistent` is not."
            ),
            (
                "{}",
                "`targets[1].token` needs one of `file`, `credential` and `environment`. Write exactly one."
            ),
            ("{vault: x}", "`targets[1].token.vault` is not an option. Known keys: credential, environment, file."),
        ])
    func errors(written: String, message: String) {
        let error = #expect(throws: ConfigurationError.self) { try read("token: \(written)") }
        #expect(error?.problems.contains { $0.line == 4 && $0.text == message } == true, "\(error?.description ?? "")")
    }

    @Test(
        "A key for secrets that does not suit the target is an error.",
        arguments: [
            ("username: a:b", "`username` contains a colon, which ends the name in HTTP. Use another name."),
            ("username: me\n    token: x", "`token` is set together with `username`. Keep one of them."),
            (
                "keyFile: /dev/null",
                "`keyFile` is set without `certificateFile`. Set `certificateFile` to the certificate of this key."
            ),
            (
                "headers: {\"X Key\": v}",
                "`headers` contains a name that HTTP does not allow. Use letters, digits and `-`."
            ),
            ("headers: {Host: v}", "`headers` contains `Host`, which trackerd sets itself. Leave it out."),
            (
                "headers: {X-Key: \"a\\r\\nHost: b\"}",
                "`headers` contains a value with a control character. Check for a line break."
            ),
        ])
    func unsuitable(line: String, message: String) {
        let error = #expect(throws: ConfigurationError.self) { try read(line) }
        #expect(
            error?.description.hasSuffix("upload target `target1`: \(message)") == true, "\(error?.description ?? "")")
    }

    @Test("A secret causes a note if other users can read it, if it is empty, or if it looks like a variable.")
    func notes() throws {
        chmod(scratch.path + "/secret", 0o644)
        try scratch.write("", to: "empty")
        chmod(scratch.path + "/empty", 0o600)
        let readable = try read("token: {file: \(scratch.path)/secret}").notes.map(\.text)
        #expect(
            readable == [
                "`targets[1].token.file`: the mode of \(scratch.path)/secret lets every user of this computer read it. Run `sudo chmod o-rwx \(scratch.path)/secret`."
            ])
        let empty = try read("username: me", "passwordFile: \(scratch.path)/empty").notes.map(\.text)
        #expect(
            empty == [
                "`targets[1].passwordFile`: the first line of \(scratch.path)/empty is empty. Write the secret there."
            ])
        let credential = try read("token: {credential: empty}").notes
        #expect(
            credential.map(\.text) == [
                "`targets[1].token.credential`: the first line of the credential `empty` is empty. Write the secret into the file that `LoadCredential=` in the unit names, and restart trackerd."
            ])
        #expect(credential.allSatisfy { !$0.mayBeIntended })
        let literal = try read("username: me", "password: ${VAN_PASSWORD}").notes.map(\.text)
        #expect(literal.count == 1 && literal[0].contains("trackerd does not expand variables here"))
        #expect(literal[0].contains("`{environment: NAME}`"))
    }

    @Test(
        "A configuration that others can read causes a note if it has a password, but not if it names a file."
    )
    func mode() throws {
        let text = "device: van1\ntargets:\n  - url: https://x.example\n    username: me\n    "
        for (line, count) in [("password: hunter2", 1), ("passwordFile: \(scratch.path)/secret", 0)] {
            try scratch.write(text + line + "\n", to: "config.yaml")
            chmod(scratch.path + "/config.yaml", 0o644)
            let notes = try Configuration.read(scratch.path + "/config.yaml", environment: [:]).notes.map(\.text)
            #expect(notes.count == count)
            #expect(
                notes.allSatisfy { $0.contains("lets every user of this computer read it") && !$0.contains("hunter2") })
        }
    }

    private func read(_ lines: String...) throws -> Configuration {
        let text = (["device: van1", "targets:", "  - url: https://x.example"] + lines.map { "    " + $0 })
        return try Configuration.parse(
            text.joined(separator: "\n") + "\n", file: "config.yaml",
            environment: [
                "CREDENTIALS_DIRECTORY": scratch.path, "VAN_PASSWORD": "hunter2",
                "VAN_PROXY": "http://me:hunter2@proxy.example:3128",
            ])
    }
}
