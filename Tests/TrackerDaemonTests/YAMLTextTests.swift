import Testing
import Yams

@testable import Configuration

@Suite("A change of one value in a YAML text")
struct YAMLTextTests {
    struct Change: Sendable, CustomTestStringConvertible {
        let title: String
        let before: String
        let path: [YAMLText.Step]
        let value: String?
        let after: String

        var testDescription: String { title }
    }

    static let changes = [
        Change(
            title: "a comment behind the value", before: "# a\ndevice: van1  # b\nx: 1\n", path: [.key("device")],
            value: "van2", after: "# a\ndevice: van2  # b\nx: 1\n"),
        Change(
            title: "a text in quotes", before: #"device: "va\"n#1" # b"# + "\n", path: [.key("device")], value: "van2",
            after: "device: van2 # b\n"),
        Change(
            title: "a text in single quotes", before: "device: 'it''s' # b\n", path: [.key("device")], value: "van2",
            after: "device: van2 # b\n"),
        Change(
            title: "a text of several lines", before: "device: >\n  van\n  1\n# b\nx: 1\n", path: [.key("device")],
            value: "van2", after: "device: van2\n# b\nx: 1\n"),
        Change(
            title: "a folded text without quotes", before: "device: van\n  1\nx: 1\n", path: [.key("device")],
            value: "van2", after: "device: van2\nx: 1\n"),
        Change(
            title: "an empty value", before: "device:\nx: 1\n", path: [.key("device")], value: "van2",
            after: "device: van2\nx: 1\n"),
        Change(
            title: "a new key at the end of the file", before: "device: van1", path: [.key("board")], value: "pi4",
            after: "device: van1\nboard: pi4\n"),
        Change(
            title: "a new key of an item", before: "t:\n- url: a\n  tags:\n  - b\n# c\n- url: d\n",
            path: [.key("t"), .item(0), .key("user")], value: "me",
            after: "t:\n- url: a\n  tags:\n  - b\n  user: me\n# c\n- url: d\n"),
        Change(
            title: "the first key of an item", before: "t:\n  - a: 1\n    b: 2\n",
            path: [.key("t"), .item(0), .key("a")],
            value: nil, after: "t:\n  - b: 2\n"),
        Change(
            title: "an item of a list", before: "t:\n  - a: 1\n    b: 2\n  - a: 3\nx: 1\n",
            path: [.key("t"), .item(0)],
            value: nil, after: "t:\n  - a: 3\nx: 1\n"),
        Change(
            title: "a mapping in braces", before: "# a\nboard: {base: pi4, ignition: none} # b\n",
            path: [.key("board"), .key("base")], value: "bare", after: "# a\nboard: {base: bare, ignition: none}\n"),
        Change(
            title: "an item in braces", before: "t:\n  - {url: 'a', b: [1, 2]}\n  # c\n  - {url: d}\n",
            path: [.key("t"), .item(0), .key("url")], value: "e",
            after: "t:\n  - {url: e, b: [1, 2]}\n  # c\n  - {url: d}\n"),
        Change(
            title: "lines that end with CR and LF", before: "device: van1\r\nx: 1\r\n", path: [.key("device")],
            value: "van2", after: "device: van2\r\nx: 1\r\n"),
    ]

    @Test("changes no other line.", arguments: changes)
    func change(change: Change) throws {
        var text = try #require(YAMLText(change.before))
        if let value = change.value { text.set(change.path, to: value) } else { text.remove(change.path) }
        #expect(text.text == change.after)
        #expect(!text.hasLostComments)
    }

    @Test("keeps all other values, but not the comments, if the text has an anchor at the value.")
    func anchor() throws {
        var text = try #require(YAMLText("# a\ndevice: &name van1\nuser: *name\n"))
        text.set([.key("device")], to: "van2")
        #expect(text.root == (try Yams.compose(yaml: "device: van2\nuser: van1")))
        #expect(text.hasLostComments)
    }

    @Test("A list replaces an empty list.")
    func list() throws {
        var text = try #require(YAMLText("targets: []\nx: 1 # a\n"))
        text.setList("targets", of: [("name", "home"), ("url", "a")])
        #expect(text.text == "x: 1 # a\ntargets:\n  - name: home\n    url: a\n")
    }
}
