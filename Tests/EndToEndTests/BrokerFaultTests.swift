import Foundation
import Peers
import Testing

@Suite("Faulty brokers", .enabled(if: WebServer.python != nil, "python3 is missing"))
struct BrokerFaultTests {
    @Test("A TLS port without a listener costs no processor time, and the log names the refusal.")
    func refused() throws {
        let vehicle = try Vehicle(targets: ["{name: home, url: \"mqtts://127.0.0.1:\(freePort())\"}"])
        let daemon = try vehicle.start()
        #expect(eventually { daemon.logged.contains("home: ") })
        #expect(daemon.logged.contains("no broker listens there (Connection refused)"))
        expectRest(daemon)
    }

    @Test("A TLS port that closes each connection at once costs no processor time.", arguments: ["close", "reset"])
    func closed(manner: String) throws {
        let server = try ScriptServer(Self.hangingUp, arguments: [manner])
        let vehicle = try Vehicle(targets: ["{name: home, url: \"mqtts://127.0.0.1:\(server.port)\"}"])
        let daemon = try vehicle.start()
        #expect(eventually { daemon.logged.contains("home: ") })
        expectRest(daemon)
    }

    @Test("A TLS port that accepts connections and stays silent costs no processor time.")
    func silent() throws {
        let server = try ScriptServer(Self.hangingUp, arguments: ["mute"])
        let vehicle = try Vehicle(targets: ["{name: home, url: \"mqtts://127.0.0.1:\(server.port)\"}"])
        let daemon = try vehicle.start()
        #expect(eventually { !server.notes.isEmpty })
        expectRest(daemon)
    }

    @Test(
        "The program connects to a TLS broker behind a slow network without a busy wait.",
        .enabled(if: Broker.program != nil && Certificate.openssl != nil, "mosquitto or openssl is missing"))
    func slow() throws {
        let scratch = try Scratch()
        let certificate = try Certificate(for: "127.0.0.1", in: scratch)
        let broker = try Broker()
        try broker.start()
        // The relay removes TLS. Its accept queue is full until the kernel has dropped the program's first SYN.
        let relay = try ScriptServer(
            Self.slowRelay, arguments: [certificate.file, certificate.key, String(broker.url.split(separator: ":")[2])])
        let vehicle = try Vehicle(targets: [
            "{name: home, url: \"mqtts://127.0.0.1:\(relay.port)\", caFile: \"\(certificate.file)\"}"
        ])
        let daemon = try vehicle.start()
        #expect(eventually { !broker.messages.isEmpty })
        #expect(!daemon.logged.contains("home: "))
        expectRest(daemon)
    }

    @Test("A message of 256 MB is never loaded into memory; its connection is closed, and other targets continue.")
    func huge() throws {
        let broker = try ScriptServer(Self.flooding)
        let server = try WebServer()
        try server.start(denying: false)
        let vehicle = try Vehicle(targets: [
            "{name: evil, url: \"mqtt://127.0.0.1:\(broker.port)\"}",
            "{name: good, url: \"\(server.url)\", format: geojson}",
        ])
        let daemon = try vehicle.start()
        #expect(eventually { daemon.logged.contains("it sends more than 512 KiB that nobody asked for") })
        #expect(eventually { broker.notes.count >= 4 })
        // The pauses are 1 s, 2 s and 4 s, ±25 %.
        let times = broker.notes.compactMap { Double($0) }
        #expect(times[3] - times[2] > times[1] - times[0])
        let before = server.bodies.count
        #expect(eventually { server.bodies.count > before })
        #expect(daemon.peakMemory_MiB < 120)
        #expect(daemon.endInTime() == 0)
    }

    /// Expects less than 0.5 s of processor time in three seconds, where a busy wait would use three; ends the program.
    private func expectRest(_ daemon: Daemon) {
        let before = daemon.processorTime_s
        usleep(3_000_000)
        #expect(daemon.processorTime_s - before < 0.5)
        #expect(daemon.endInTime() == 0)
    }

    private static let hangingUp = #"""
        listener = socket.create_server(("127.0.0.1", port))
        ready()
        kept = []
        while True:
            client, _ = listener.accept()
            note("accepted")
            if words[0] == "mute": kept.append(client)
            if words[0] == "reset": client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            if words[0] != "mute": client.close()
        """#

    private static let slowRelay = #"""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(words[0], words[1])
        listener = socket.socket()
        listener.bind(("127.0.0.1", port))
        listener.listen(0)
        # These clients fill the accept queue, so the kernel drops the next SYN. Its sender repeats it after a second.
        # proc_net(5): the second address is the port's, and 02 is the state of a client whose SYN has no answer.
        def unanswered():
            clients = [line.split()[2:4] for line in open("/proc/net/tcp")]
            return sum(state == "02" and address.endswith(f":{port:04X}") for address, state in clients)

        fillers = [socket.socket() for _ in range(3)]
        for filler in fillers:
            filler.setblocking(False)
            filler.connect_ex(("127.0.0.1", port))
        fillers_unanswered = unanswered()
        ready()

        def pump(source, sink):
            try:
                while data := source.recv(65536): sink.sendall(data)
            except OSError: pass

        def serve(client):
            try: client = context.wrap_socket(client, server_side=True)
            except (OSError, ssl.SSLError): return
            upstream = socket.create_connection(("127.0.0.1", int(words[2])))
            threading.Thread(target=pump, args=(upstream, client), daemon=True).start()
            pump(client, upstream)

        while unanswered() <= fillers_unanswered: time.sleep(0.01)
        for filler in fillers: filler.close()
        while True: threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
        """#

    /// Accepts each client, and answers its first message after CONNECT with a message of 256 MiB.
    private static let flooding = #"""
        listener = socket.create_server(("127.0.0.1", port))
        ready()
        bytes = b"\x30\xff\xff\xff\x7f\x00\x01a" + b"x" * ((1 << 28) - 4)
        while True:
            client, _ = listener.accept()
            note(time.monotonic())
            try:
                client.recv(4096)
                client.sendall(b"\x20\x02\x00\x00")
                client.recv(4096)
                client.sendall(bytes)
            except OSError: pass
            client.close()
        """#
}
