@testable import Formats
import Foundation
import Testing
import Tracking
@testable import Upload

@Suite("OwnTracks' encryption")
struct EncryptionTests {
    private let key: OwnTracksKey

    init() throws { key = try #require(OwnTracksKey("correct-horse")) }

    @Test("A message has the same bytes as from another implementation of libsodium's secretbox.")
    func vector() {
        let text = #"{"_type":"location","lat":52.37403,"lon":4.88969,"tst":1760000000,"tid":"v1"}"#
        let sealed = key.seal(Array(text.utf8), nonce: Array(0...23))
        let expected = #"""
            {"_type":"encrypted","data":"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXG2pOUZuwCrvA62u7v2Y0q/JdjPqNzEBy2Aj27sG13U5qHvMpyzPwjMPv6lXglj\#
            qurXDG4dXTB4t9sH/o64tYIuUWNch6ptVXvvdejRThJ3jJYNotw3HBUSiAM5b+"}
            """#
        #expect(sealed.map { String(decoding: $0, as: UTF8.self) } == expected)
    }

    @Test("A record has the same bytes when it is sent again, and a changed record has another nonce.")
    func repeated() throws {
        let first = try #require(key.seal(Array("one".utf8)))
        #expect(key.seal(Array("one".utf8)) == first)
        let second = try #require(key.seal(Array("two".utf8)))
        // The nonce is the first 24 bytes, which are 32 characters in base64.
        let head = #"{"_type":"encrypted","data":""#.utf8.count
        #expect(first[..<(head + 32)] != second[..<(head + 32)])
    }

    @Test(
        "Each kind of message is encrypted whole, over HTTP and MQTT, also the will.", arguments: TransportKind.allCases
    )
    func whole(kind: TransportKind) throws {
        let url = kind == .http ? "https://track.example.net/pub" : "mqtts://broker.example.net"
        let open = try UploadTarget.sample(url, OwnTracks())
        let sealed = try UploadTarget.sample(url, OwnTracks(key: key))
        for (name, stored) in StoredRecord.ofEachKind {
            let plain = open.format.encode([stored], isNewest: true, for: open.sender, over: kind)
            let hidden = sealed.format.encode([stored], isNewest: true, for: sealed.sender, over: kind)
            guard case .payload(let before) = plain else {
                #expect(hidden == plain, "\(name)")
                continue
            }
            guard case .payload(let after) = hidden else { throw Unexpected() }
            #expect(key.open(after.body) == before.body, "\(name)")
            #expect((after.topic, after.retain) == (before.topic, before.retain))
            #expect(after.companions.map { key.open($0.body) } == before.companions.map(\.body), "\(name)")
        }
        let will = sealed.format.will(for: sealed.sender, connectedAt: StoredRecord.whole.created)
        #expect(key.open(try #require(will).body) == Array(#"{"_type":"lwt","tst":1760000002}"#.utf8))
    }

    @Test("A message for another key, or a changed message, cannot be decrypted.")
    func forged() throws {
        let sealed = try #require(key.seal(Array("secret".utf8)))
        #expect(OwnTracksKey("correct-horsf")?.open(sealed) == nil)
        let text = String(decoding: sealed, as: UTF8.self)
        let middle = text.index(text.startIndex, offsetBy: 70)
        var changed = text
        changed.replaceSubrange(middle...middle, with: text[middle] == "A" ? "B" : "A")
        #expect(key.open(Array(changed.utf8)) == nil)
        #expect(key.open(Array("{}".utf8)) == nil)
    }

    @Test("A key has 1 to 32 bytes, and is not printed.")
    func keys() {
        #expect(OwnTracksKey("") == nil)
        #expect(OwnTracksKey(String(repeating: "ä", count: 16)) != nil)
        #expect(OwnTracksKey(String(repeating: "ä", count: 16) + "x") == nil)
        var dumped = ""
        dump(key, to: &dumped)
        #expect(!"\(key) \(dumped)".contains("correct-horse"))
    }
}
