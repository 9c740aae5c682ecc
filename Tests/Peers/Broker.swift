import Foundation

/// A real mosquitto behind a relay.
///
/// The relay records the messages that clients publish through it. It can withhold the broker's acknowledgements, and can
/// cut the connection.
package final class Broker: Peer {
    package static let program = Child.find("mosquitto")

    package let url: String
    private let port = freePort()
    private let relayPort = freePort()
    private let scratch: Scratch
    private var broker: Child?
    private var relay: Child?

    private let host: String

    /// Makes a broker whose relay listens on an address of this machine.
    package init(host: String = "127.0.0.1") throws {
        self.host = host
        scratch = try Scratch()
        url = "mqtt://\(host):\(relayPort)"
        try behave(.good)
    }

    package func start(denying: Bool = false) throws {
        guard let program = Self.program else { throw PeerMissing(name: "mosquitto") }
        guard let python = WebServer.python else { throw PeerMissing(name: "python3") }
        let rules = ["listener \(port) 127.0.0.1", "persistence false", "user root", "allow_anonymous \(!denying)", ""]
        try scratch.write(rules.joined(separator: "\n"), to: "conf")
        let broker = try Child(program, ["-c", "\(scratch.path)/conf"])
        self.broker = broker
        guard broker.listens(on: port) else { throw PeerMissing(name: "the broker") }
        let relay = try Child(python, ["-c", Self.script, scratch.path, String(relayPort), String(port), host])
        self.relay = relay
        guard relay.listens(on: relayPort, of: host) else { throw PeerMissing(name: "the relay") }
    }

    /// Publishes a message with QoS 1, as another client of the broker; returns when the broker has acknowledged it.
    package func publish(_ text: String, to topic: String, retain: Bool = false) throws {
        guard let python = WebServer.python else { throw PeerMissing(name: "python3") }
        try scratch.write(text, to: "order")
        let words = ["-c", Self.publisher, String(port), topic, "\(scratch.path)/order", retain ? "1" : "0"]
        let client = try Child(python, words)
        client.wait()
        guard client.status == 0 else { throw PeerMissing(name: "the acknowledgement of the broker") }
    }

    /// A client of MQTT 3.1.1 that publishes one message.
    private static let publisher = #"""
        import socket, struct, sys
        port, topic, retain = int(sys.argv[1]), sys.argv[2].encode(), int(sys.argv[4])
        text = open(sys.argv[3], "rb").read()

        def packet(kind, body):
            length, size = b"", len(body)
            while True:
                size, rest = divmod(size, 128)
                length += bytes([rest | (128 if size else 0)])
                if not size: return bytes([kind]) + length + body

        with socket.create_connection(("127.0.0.1", port)) as broker:
            broker.sendall(packet(0x10, b"\x00\x04MQTT\x04\x02\x00\x3c\x00\x03pub"))
            assert broker.recv(4, socket.MSG_WAITALL)[3] == 0
            broker.sendall(packet(0x32 | retain, struct.pack(">H", len(topic)) + topic + b"\x00\x01" + text))
            assert broker.recv(4, socket.MSG_WAITALL) == b"\x40\x02\x00\x01"
            broker.sendall(b"\xe0\x00")
        """#

    package func stop() {
        relay?.kill()
        broker?.kill()
        (relay, broker) = (nil, nil)
    }

    package func behave(_ manner: Manner) throws { try scratch.write(manner.rawValue, to: "manner") }

    package var bodies: [String] { messages.map(\.payload) }

    package var arrivals: [Double] { messages.map(\.time) }

    /// A packet of MQTT, by its type in the standard.
    package enum Packet: String {
        case connect = "1"
        case subscriptionAcknowledged = "9"
        case ping = "12"
    }

    /// The number of these packets that have reached the relay.
    package func count(_ packet: Packet) -> Int { scratch.lines(of: "packets").count { $0 == packet.rawValue } }

    package struct Message: Decodable {
        package let topic: String
        package let payload: String
        package let retain: Bool
        package let qos: Int
        /// The time of arrival, in seconds since 1970.
        package let time: Double
    }

    package var messages: [Message] {
        scratch.lines(of: "messages").compactMap { try? JSONDecoder().decode(Message.self, from: Data($0.utf8)) }
    }

    private static let script = #"""
        import json, socket, sys, threading, time
        folder, port, broker = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])

        def manner(): return open(folder + "/manner").read()

        def exactly(source, count):
            data = b""
            while len(data) < count:
                part = source.recv(count - len(data))
                if not part: raise EOFError
                data += part
            return data

        def packet(source):
            head = exactly(source, 1)
            length = shift = 0
            while True:
                byte = exactly(source, 1)
                head += byte
                length |= (byte[0] & 127) << shift
                shift += 7
                if byte[0] < 128: return head, exactly(source, length)

        def note(head, rest, version):
            qos = head[0] >> 1 & 3
            end = 2 + int.from_bytes(rest[:2], "big")
            start = end + (2 if qos else 0)
            # In MQTT 5, properties precede the payload; here they are shorter than 128 bytes.
            if version == 5: start += 1 + rest[start]
            with open(folder + "/messages", "a") as log:
                log.write(json.dumps({"topic": rest[2:end].decode(), "retain": bool(head[0] & 1), "qos": qos,
                                      "payload": rest[start:].decode(), "time": time.time()}) + "\n")

        def pump(source, sink, is_client):
            version = 4
            try:
                while True:
                    head, rest = packet(source)
                    kind = head[0] >> 4
                    if kind in (1, 9, 12): open(folder + "/packets", "a").write(f"{kind}\n")
                    if is_client and kind == 1: version = rest[6]
                    if is_client and kind == 3:
                        note(head, rest, version)
                        if manner() == "cut": raise EOFError
                    if not is_client and kind == 4 and manner() == "mute": continue
                    sink.sendall(head + rest)
            except (EOFError, OSError):
                for end in (source, sink):
                    try: end.shutdown(socket.SHUT_RDWR)
                    except OSError: pass

        def serve(client):
            try: upstream = socket.create_connection(("127.0.0.1", broker))
            except OSError: return client.close()
            for arguments in ((client, upstream, True), (upstream, client, False)):
                threading.Thread(target=pump, args=arguments, daemon=True).start()

        listener = socket.create_server((sys.argv[4], port))
        while True: serve(listener.accept()[0])
        """#
}
