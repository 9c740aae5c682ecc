import Contracts
@testable import Formats
import Foundation
import Peers
import Quantities
import Testing
@testable import Upload

/// Brokers whose packets MQTT does not allow; libmosquitto itself ends the program at some of them.
@Suite("A broker that sends nonsense", .enabled(if: WebServer.python != nil, "python3 is missing"))
struct StrangeBrokerTests {
    @Test(
        "A property that the packet must not contain ends the connection before CONNACK, and is named.",
        arguments: [
            ("2005 0000 02 0400", "CONNACK with property 0x04"), ("2005 0000 02 7f00", "CONNACK with property 0x7F"),
            ("2006 0000 03 230001", "CONNACK with property 0x23"), ("2005 0000 02 8100", "CONNACK with property 0x81"),
        ])
    func property(bytes: String, packet: String) throws {
        let broker = try StrangeBroker(connack: bytes)
        let reason = "the broker sends a \(packet), which MQTT 5 does not allow; check the port in `url`, or the broker"
        #expect(try outcome(broker) == .retry(reason: reason, after: nil))
        #expect(broker.versions == [5])
    }

    @Test(
        "Other nonsense in place of CONNACK ends the connection, and is named.",
        arguments: [
            ("2005 0000 05 2100", "sends a malformed CONNACK"), ("2004 0000 0121", "sends a malformed CONNACK"),
            ("2006 0000 02 220005", "sends a malformed CONNACK"),
            ("20ffffffff7f", "sends a malformed CONNACK"), ("f004 00 02 0400", "does not speak MQTT on this port"),
            ("e004 8b 02 0400", "does not speak MQTT on this port"),
        ])
    func connack(bytes: String, words: String) throws {
        let reason = try outcome(StrangeBroker(connack: bytes))?.passingReason ?? "(delivered)"
        #expect(reason.contains(words), "\(reason)")
    }

    @Test(
        "Over TLS, nonsense before CONNACK is found too.",
        .enabled(if: Certificate.openssl != nil, "openssl is missing"),
        arguments: ["f004 00 02 0400", "e004 8b 02 0400", "2005 0000 02 0400"])
    func connackOverTLS(bytes: String) throws {
        let broker = try StrangeBroker(connack: bytes, isSecure: true)
        let reason = try outcome(broker)?.passingReason ?? "(delivered)"
        #expect(reason.contains("the broker sends"), "\(reason)")
    }

    @Test(
        "A packet that the broker must not send after CONNACK ends the connection, and is named.",
        arguments: [
            ("4006 0001 00 02 0500", "PUBACK with property 0x05"), ("4004 0001 00 05", "malformed PUBACK"),
            ("4002 0000", "malformed PUBACK"), ("e004 8b 02 7f00", "DISCONNECT with property 0x7F"),
            ("e007 8b 05 11 00000001", "DISCONNECT with property 0x11"), ("f003 18 01 04", "AUTH"),
            ("9006 0001 02 0500 00", "SUBACK with property 0x05"), ("9003 0001 00", "malformed SUBACK"),
            ("b006 0001 02 7f00 00", "UNSUBACK"), ("5006 0001 00 02 0500", "PUBREC"),
            ("7006 0001 00 02 0500", "PUBCOMP"),
            ("6206 0001 00 02 0500", "PUBREL with property 0x05"),
            ("3006 0001 78 02 0500", "PUBLISH with property 0x05"),
            ("3006 0001 78 03 0101", "malformed PUBLISH"), ("3602 0000", "PUBLISH"), ("3002 00ff", "malformed PUBLISH"),
            ("2003000000", "CONNACK"), ("d00101", "malformed PINGRESP"), ("1000", "sends bytes that are not MQTT"),
            ("00", "sends bytes that are not MQTT"),
        ])
    func later(bytes: String, words: String) throws {
        for isSecure in [false] + (Certificate.openssl == nil ? [] : [true]) {
            let broker = try StrangeBroker(connack: "2003000000", later: bytes, isSecure: isSecure)
            let reason = try outcome(broker)?.passingReason ?? "(delivered)"
            #expect(reason.hasPrefix("the connection to 127.0.0.1 broke (the broker sends"), "\(reason)")
            #expect(reason.contains(words), "\(reason)")
        }
    }

    @Test(
        "Packets with all properties that MQTT 5 allows are accepted, in parts of any length.", arguments: [1, 3, 1000])
    func allowed(part: Int) throws {
        let pair = "26 0001 61 0001 62"
        let connack =
            "11 00000e10 13 003c 1a 0001 61 1f 0001 61 21 0014 22 0005 24 01 25 01 \(pair) 27 00100000 28 01 29 01 2a 01"
        let publish = "01 01 02 00000001 03 0001 61 08 0001 61 09 0001 00 0b 8001 \(pair)"
        let later = [
            StrangeBroker.packet("30", "0001 78", publish, "68"), StrangeBroker.packet("90", "0001", pair, "01"),
            StrangeBroker.packet("40", "0001 00", "1f 0001 61 \(pair)"), "d000",
        ]
        for isSecure in [false] + (Certificate.openssl == nil ? [] : [true]) {
            let broker = try StrangeBroker(
                connack: StrangeBroker.packet("20", "0000", connack), later: later.joined(), part: part,
                isSecure: isSecure)
            #expect(try outcome(broker) == .delivered)
        }
    }

    @Test("Packets that follow CONNACK without a pause are read.", arguments: [false, true])
    func pipelined(isSecure: Bool) throws {
        guard !isSecure || Certificate.openssl != nil else { return }
        let broker = try StrangeBroker(connack: "2003000000 d000 3004 000178 00 e001 8b", isSecure: isSecure)
        #expect(
            try outcome(broker)
                == .retry(reason: "the broker ends the connection (it is shutting down)", after: nil))
    }

    @Test("No session with packets that were changed at random ends the program.", arguments: [UInt64(1), 2, 3])
    func random(seed: UInt64) throws { try sessions(80, seed: seed, isSecure: false) }

    @Test(
        "The same over TLS.", .enabled(if: Certificate.openssl != nil, "openssl is missing"), arguments: [UInt64(4), 5])
    func randomOverTLS(seed: UInt64) throws { try sessions(20, seed: seed, isSecure: true) }

    /// Sends records to a broker that changes its packets at random, differently in each connection.
    private func sessions(_ count: Int, seed: UInt64, isSecure: Bool) throws {
        let broker = try StrangeBroker(seed: seed, isSecure: isSecure)
        // The format subscribes, so the broker's messages and the results of subscriptions are read too.
        for session in 0..<count {
            var driver = try Driver(
                broker.url, "homeassistant", TransportTimeouts(connect: .seconds(50)), caFile: broker.caFile)
            driver.send(1)
            #expect(driver.verdicts(1)[1] != nil, "seed \(seed), session \(session)")
            driver.transport.close()
        }
    }

    private func outcome(_ broker: StrangeBroker) throws -> Verdict? {
        var driver = try Driver(
            broker.url, "owntracks", TransportTimeouts(connect: .seconds(50)), caFile: broker.caFile)
        defer { driver.transport.close() }
        driver.send(1)
        return driver.verdicts(1)[1]
    }
}

/// A broker that sends the bytes of the test, or packets with random changes.
private final class StrangeBroker {
    private let server: ScriptServer
    private let scratch: Scratch
    private let certificate: Certificate?

    /// `later` follows the first PUBLISH of the client; `part` is the number of bytes that the broker writes at a time.
    convenience init(connack: String, later: String = "", part: Int = 1000, isSecure: Bool = false) throws {
        try self.init([connack, later, String(part)], isSecure: isSecure)
    }

    convenience init(seed: UInt64, isSecure: Bool) throws { try self.init([String(seed)], isSecure: isSecure) }

    private init(_ words: [String], isSecure: Bool) throws {
        scratch = try Scratch()
        certificate = isSecure ? try Certificate(for: "127.0.0.1", in: scratch) : nil
        let files = certificate.map { [$0.file, $0.key] } ?? ["", ""]
        server = try ScriptServer(Self.script, arguments: files + words)
    }

    var url: String { "\(certificate == nil ? "mqtt" : "mqtts")://127.0.0.1:\(server.port)" }
    var caFile: String? { certificate?.file }
    /// The versions of the protocol in the client's CONNECTs.
    var versions: [Int] { server.notes.compactMap { Int($0) } }

    /// Returns a packet as hexadecimal digits: the first byte, the head, properties with their length, the rest.
    static func packet(_ first: String, _ head: String, _ properties: String, _ rest: String = "") -> String {
        func length(_ text: String) -> String {
            let digits = text.filter { $0 != " " }.count / 2
            return String(digits + 256, radix: 16).suffix(2).description
        }
        let body = head + length(properties) + properties + rest
        return first + length(body) + body
    }

    private static let script = #"""
        import random
        context = None
        if words[0]:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(words[0], words[1])
        exact = [bytes.fromhex(word) for word in words[2:4]] if len(words) > 3 else None
        chance = random.Random(int(words[2])) if exact is None else None

        def exactly(source, count):
            data = b""
            while len(data) < count:
                part = source.recv(count - len(data))
                if not part: raise EOFError
                data += part
            return data

        def packet(source):
            head = exactly(source, 1)[0]
            length = shift = 0
            while True:
                byte = exactly(source, 1)[0]
                length |= (byte & 127) << shift
                shift += 7
                if byte < 128: return head, exactly(source, length)

        def text(): return bytes([0, 1, chance.randrange(97, 123)])

        def number(count): return bytes(chance.randrange(256) for _ in range(count))

        # The identifiers of MQTT 5 with the lengths of their values; 0 is a text, -1 are two texts.
        lengths = {1: 1, 2: 4, 3: 0, 8: 0, 9: 0, 11: 1, 17: 4, 18: 0, 19: 2, 21: 0, 22: 0, 23: 1, 24: 4, 25: 1, 26: 0, 28: 0,
            31: 0, 33: 2, 34: 2, 35: 2, 36: 1, 37: 1, 38: -1, 39: 4, 40: 1, 41: 1, 42: 1}

        def properties():
            data = b""
            for _ in range(chance.choice([0, 0, 1, 1, 2, 5])):
                kind = chance.choice(list(lengths) + [0, 4, 5, 127, 128, 255])
                length = lengths.get(kind, 1)
                value = text() if length == 0 else text() + text() if length < 0 else number(length)
                data += bytes([kind]) + value
            return bytes([len(data)]) + data

        def whole(head, body): return bytes([head, len(body)]) + body

        def mid(): return bytes([0, chance.randrange(8)])

        def any_packet(version):
            rest = properties() if version == 5 else b""
            return chance.choice([
                lambda: whole(0x20, bytes([0, 0]) + rest), lambda: whole(0x30, text() + rest + b"hello"),
                lambda: whole(0x32, text() + mid() + rest), lambda: whole(0x34, text() + mid() + rest),
                lambda: whole(0x40, mid() + b"\0" + rest), lambda: whole(0x50, mid() + b"\0" + rest),
                lambda: whole(0x62, mid() + b"\0" + rest), lambda: whole(0x70, mid() + b"\0" + rest),
                lambda: whole(0x90, mid() + rest + b"\1"), lambda: whole(0xb0, mid() + rest + b"\0"),
                lambda: b"\xd0\0", lambda: whole(0xe0, b"\0" + rest), lambda: whole(0xf0, b"\x18" + rest),
                lambda: whole(0x40, mid()),
            ])()

        def changed(data):
            data = bytearray(data)
            for _ in range(chance.choice([0, 0, 0, 1, 1, 2, 4])):
                at = chance.randrange(len(data))
                action = chance.randrange(4)
                if action == 0: data[at] = chance.randrange(256)
                elif action == 1: data[at] ^= 1 << chance.randrange(8)
                elif action == 2: data.insert(at, chance.randrange(256))
                elif len(data) > 1: del data[at]
            return bytes(data)

        def send(client, data, part):
            for at in range(0, len(data), part): client.sendall(data[at:at + part])

        def serve(client):
            try:
                client.settimeout(10)
                client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                if context: client = context.wrap_socket(client, server_side=True)
                version = packet(client)[1][6]
                note(version)
                if exact:
                    send(client, exact[0], int(words[4]))
                    while packet(client)[0] >> 4 != 3: pass
                    send(client, exact[1], int(words[4]))
                    while client.recv(4096): pass
                else:
                    connack = whole(0x20, bytes([0, 0]) + (b"\0" if version == 5 else b""))
                    first = connack if chance.random() < 0.7 else changed(any_packet(version))
                    send(client, first, chance.choice([1, 1000]))
                    client.settimeout(0.02)
                    try: client.recv(4096)
                    except TimeoutError: pass
                    later = b"".join(changed(any_packet(version)) for _ in range(chance.randrange(12)))
                    send(client, later, chance.choice([1, 7, 1000]))
                    client.shutdown(socket.SHUT_WR)
                    client.settimeout(0.2)
                    while client.recv(4096): pass
            except (EOFError, OSError, IndexError): pass
            client.close()

        listener = socket.create_server(("127.0.0.1", port))
        ready()
        while True:
            if exact: threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
            else: serve(listener.accept()[0])
        """#
}
