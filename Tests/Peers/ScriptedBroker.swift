import Foundation

/// A broker in a few lines of Python whose answers the test chooses.
///
/// A test cannot make a real broker refuse a message.
package final class ScriptedBroker {
    /// The behaviour of the broker, in the terms of MQTT 5.
    package struct Manner: Encodable {
        /// The answer to a client of MQTT 5: `accept`, `refuse`, `ignore` or `close`.
        ///
        /// All answers except `accept` end the connection. Before that, `refuse` and `ignore` send a CONNACK of MQTT 3.1.1.
        package var mqtt5 = "accept"
        /// The reason code of the CONNACK.
        package var connack = 0
        /// The properties of the CONNACK, as bytes.
        package var properties: [UInt8] = []
        /// The reason codes of the PUBACKs, by the end of the message's topic; 0 for all other topics.
        package var pubacks: [String: Int] = [:]
        /// The reason code of a DISCONNECT that the broker sends in place of the first PUBACK; nil for none.
        package var disconnect: Int?
        package var answersPings = true
        /// The time that the broker waits before it sends a PUBACK.
        package var delay_ms = 0

        package init() {}

        /// Returns the default manner with one change.
        package static func with(_ change: (inout Self) -> Void) -> Self {
            var manner = Self()
            change(&manner)
            return manner
        }
    }

    /// A packet that the broker received.
    package struct Note: Decodable {
        package let packet: String
        package var version: Int?
        package var client: String?
        package var isWillRetained: Bool?
        package var topic: String?
        package var retain: Bool?
        /// The number of messages that the broker has not acknowledged yet, including this one.
        package var open: Int?
    }

    private let server: ScriptServer

    package init(_ manner: Manner) throws {
        let words = String(decoding: try JSONEncoder().encode(manner), as: UTF8.self)
        server = try ScriptServer(Self.script, arguments: [words])
    }

    package var url: String { "mqtt://127.0.0.1:\(server.port)" }

    package var notes: [Note] {
        server.notes.compactMap { try? JSONDecoder().decode(Note.self, from: Data($0.utf8)) }
    }

    package func notes(_ packet: String) -> [Note] { notes.filter { $0.packet == packet } }

    private static let script = #"""
        import json
        manner = json.loads(words[0])

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

        def text(rest, at):
            end = at + 2 + int.from_bytes(rest[at:at + 2], "big")
            return rest[at + 2:end].decode(), end

        def report(kind, **more): note(json.dumps({"packet": kind, **more}))

        def connect(client, rest):
            version, flags = rest[6], rest[7]
            at = 10
            if version == 5: at += 1 + rest[at]
            name, at = text(rest, at)
            report("connect", version=version, client=name, isWillRetained=bool(flags & 0x20))
            if version == 5 and manner["mqtt5"] == "close": raise EOFError
            if version == 5 and manner["mqtt5"] == "ignore":
                client.sendall(b"\x20\x02\x00\x00")
                raise EOFError
            if version == 5 and manner["mqtt5"] == "refuse":
                client.sendall(b"\x20\x02\x00\x01")
                raise EOFError
            code = manner["connack"]
            # The broker refuses only a retained will with "retain not supported".
            if code == 0x9a and not flags & 0x20: code = 0
            body = bytes([0, code])
            if version == 5: body += bytes([len(manner["properties"])]) + bytes(manner["properties"])
            client.sendall(bytes([0x20, len(body)]) + body)
            if code: raise EOFError
            return version

        def serve(client):
            version, lock, waiting = 4, threading.Lock(), []
            def acknowledge():
                time.sleep(manner["delay_ms"] / 1000)
                with lock: number, topic = waiting.pop(0)
                code = next((code for end, code in manner["pubacks"].items() if topic.endswith(end)), 0)
                body = number + (bytes([code]) if version == 5 and code else b"")
                client.sendall(bytes([0x40, len(body)]) + body)
            try:
                while True:
                    head, rest = packet(client)
                    if head >> 4 == 1: version = connect(client, rest)
                    if head >> 4 == 12:
                        report("ping")
                        if manner["answersPings"]: client.sendall(b"\xd0\x00")
                    if head >> 4 == 14: report("disconnect")
                    if head >> 4 != 3: continue
                    topic, at = text(rest, 0)
                    with lock:
                        waiting.append((rest[at:at + 2], topic))
                        report("publish", topic=topic, retain=bool(head & 1), open=len(waiting))
                    if manner.get("disconnect"):
                        client.sendall(bytes([0xe0, 1, manner["disconnect"]]))
                        raise EOFError
                    if manner["delay_ms"]: threading.Thread(target=acknowledge, daemon=True).start()
                    else: acknowledge()
            except (EOFError, OSError): pass
            client.close()

        listener = socket.create_server(("127.0.0.1", port))
        ready()
        while True: threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
        """#
}
