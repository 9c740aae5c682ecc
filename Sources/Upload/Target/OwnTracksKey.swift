internal import CSodium
internal import Formats
internal import FoundationEssentials
internal import JSON

/// The pass phrase that encrypts OwnTracks' messages (booklet: features/encrypt).
///
/// OwnTracks uses the phrase itself as the key and pads it with zero bytes, so only a long random phrase is a strong
/// key.
package struct OwnTracksKey: MessageCipher, Hashable {
    /// The maximum length of a phrase, in bytes of UTF-8.
    package static let longest = Int(CSODIUM_KEY_BYTES)

    private let phrase: Secret

    package init?(_ phrase: String) {
        guard (1...Self.longest).contains(phrase.utf8.count) else { return nil }
        self.phrase = Secret(phrase)
    }

    private var bytes: [UInt8] {
        let text = Array(phrase.revealed.utf8)
        return text + [UInt8](repeating: 0, count: Self.longest - text.count)
    }

    /// Returns the message in OwnTracks' envelope; nil if libsodium is not available.
    ///
    /// The function computes the nonce from key and message, so a record results in the same bytes each time that trackerd sends
    /// it.
    package func seal(_ message: [UInt8]) -> [UInt8]? {
        var nonce = [UInt8](repeating: 0, count: Int(CSODIUM_NONCE_BYTES))
        guard csodium_nonce(&nonce, message, message.count, bytes) else { return nil }
        return seal(message, nonce: nonce)
    }

    /// Returns the message in OwnTracks' envelope, with this nonce of 24 bytes.
    func seal(_ message: [UInt8], nonce: [UInt8]) -> [UInt8]? {
        var sealed = [UInt8](repeating: 0, count: message.count + Int(CSODIUM_EXTRA_BYTES))
        guard csodium_seal(&sealed, message, message.count, nonce, bytes) else { return nil }
        return JSONValue.object(["_type": .text("encrypted"), "data": .text(Data(sealed).base64EncodedString())])
            .encoded
    }

    package func open(_ envelope: [UInt8]) -> [UInt8]? {
        let extra = Int(CSODIUM_EXTRA_BYTES)
        guard let root = JSONDocument(envelope)?.root, root["_type"]?.string != nil, let text = root["data"]?.string,
            let sealed = Data(base64Encoded: text).map({ [UInt8]($0) }), sealed.count >= extra
        else { return nil }
        var message = [UInt8](repeating: 0, count: sealed.count - extra)
        return csodium_open(&message, sealed, sealed.count, bytes) ? message : nil
    }
}
