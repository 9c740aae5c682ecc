import FoundationEssentials
import GRDB

/// The text of a record in the form that the table stores.
///
/// A row contains either the text itself, as in all rows of earlier versions, or a blob. The blob contains the number
/// of a dictionary, the size of the numbers, the numbers, and the words. zlib has compressed the words with the
/// dictionary.
enum RecordBody {
    /// Returns the value to store.
    static func value(of text: String) -> DatabaseValue {
        let dictionary = dictionaries.count
        let split = NumberedText(Array(text.utf8))
        guard split.numbers.count <= 0xffff,
            let words = ShortText.shrink(split.words, with: dictionaries[dictionary - 1])
        else { return text.databaseValue }
        let size = split.numbers.count
        let head = [UInt8(dictionary), UInt8(size >> 8), UInt8(size & 0xff)]
        return Data(head + split.numbers + words).databaseValue
    }

    /// Returns the text of a stored value; nil if this version cannot read it.
    static func text(_ value: DatabaseValue) -> String? {
        switch value.storage {
        case .string(let text): text
        case .blob(let bytes): text(Array(bytes))
        case .null, .int64, .double: nil
        }
    }

    /// Whether the bytes begin like a blob of `value(of:)`.
    static func isBlob(_ bytes: [UInt8]) -> Bool {
        bytes.count > headSize && (1...dictionaries.count).contains(Int(bytes[0]))
            && bytes.count > headSize + numbersSize(bytes)
    }

    private static let headSize = 3

    private static func numbersSize(_ bytes: [UInt8]) -> Int { Int(bytes[1]) << 8 | Int(bytes[2]) }

    private static func text(_ bytes: [UInt8]) -> String? {
        guard isBlob(bytes) else { return nil }
        let end = headSize + numbersSize(bytes)
        guard let words = ShortText.expand(bytes[end...], with: dictionaries[Int(bytes[0]) - 1]),
            let text = NumberedText(words: words, numbers: Array(bytes[headSize..<end])).text
        else { return nil }
        return String(decoding: text, as: UTF8.self)
    }

    /// The words that records often contain.
    ///
    /// A dictionary never changes after a release has used it; add a better dictionary at the end of the list.
    ///
    /// zlib needs fewer bits for a match near the end of a dictionary, so the most frequent texts are at the end.
    private static let dictionaries: [[UInt8]] = [NumberedText(Array(first.utf8)).words]

    private static let first = #"""
        {"content":{"optionschange":{"_0":{"applied":"remote","rejected":[]}}},"content":{"waypoint":{"_0":{"desc":"",\#
        "content":{"providerchange":{"_0":"lost"}},"found","content":{"driving":{"_0":{"braking":{"acceleration":1,\#
        "content":{"request":{"_0":{"id":"","content":{"ping":{}},"content":{"health":{"_0":{"change":"storageFailing","reason":"",\#
        "content":{"transition":{"_0":{"direction":"enter","leave","dwell","region":{"id":"","name":"","trigger":"area","beacon",\#
        "driver":"","vehicle":"","regions":[{"id":"","name":""}],"tag":"","trigger":"region","isWithheld":true,"isTimeTrusted":false,\#
        "content":{"visit":{"_0":{"arrived":17,"departed":17}}},"content":{"power":{"_0":"started","start":{"board":"pi4","boots":1,\#
        "version":"0.1.0"}}},"stopped","lost","content":{"trip":{"_0":{"metadata":[],"number":1,"summary":{"distance":1,"end":{"lat":\#
        1,"lon":1},"ended":17,"idle":[1,1],"moving":[1,1],"records":1,"start":{"lat":1,"lon":1},"started":17,"stops":0,"topSpeed":1,\#
        "withoutFix":[1,1]}}}},"externalID":"","isMoving":false,"isTimeCounted":true,"isTimeTrusted":true,"mode":1,"odometer":0,"time":1}\#
        {"content":{"motionchange":{}},"isMoving":false,"isTimeTrusted":true,"mode":2,"odometer":0,"position":{"accuracy":1,"altitude":\#
        1,"coordinate":{"lat":1,"lon":1}},"solution":"deadReckoning","radius":1,"position":{"accuracy":10,"ellipsoidAltitude":1,\#
        {"content":{"location":{}},"ignition":true,"isMoving":true,"isTimeTrusted":true,"mode":2,"odometer":1\#
        ,"position":{"accuracy":4,"altitude":1,"coordinate":{"lat":5,"lon":1},"course":1,"speed":1},"supply":13,"time":17,"trip":1}\#
        {"content":{"location":{}},"isMoving":true,"isTimeTrusted":true,"mode":2,"odometer":1,"position":{"accuracy":5,"altitude":\#
        1,"coordinate":{"lat":1,"lon":1},"course":2,"ellipsoidAltitude":9,"satellites":12,"speed":2,"verticalAccuracy":8},"time":17,"trip":1}\#
        {"content":{"location":{}},"isMoving":true,"isTimeTrusted":true,"mode":2,"odometer":1,"position":{"accuracy":4,"altitude":\#
        1,"coordinate":{"lat":1,"lon":1},"course":1,"speed":2},"time":1,"trip":1}
        """#
}
