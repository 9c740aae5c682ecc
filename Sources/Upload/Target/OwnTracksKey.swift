internal import CSodium
internal import Formats
internal import FoundationEssentials
internal import JSON

/// Encrypts OwnTracks' messages (booklet: features/encrypt). The phrase itself, padded with zero bytes, is the key: only a long
/// random one is strong.
package struct OwnTracksKey: MessageCipher, Hashable {
    /// The limit in bytes of UTF-8.
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

    /// Nil without libsodium. The nonce is computed from key and message, so that a record always becomes the same
    /// bytes.
    package func seal(_ message: [UInt8]) -> [UInt8]? {
        var nonce = [UInt8](repeating: 0, count: Int(CSODIUM_NONCE_BYTES))
        guard csodium_nonce(&nonce, message, message.count, bytes) else { return nil }
        return seal(message, nonce: nonce)
    }

    /// `nonce` has 24 bytes.
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
