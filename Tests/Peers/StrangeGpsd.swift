import Foundation

/// A server with gpsd's protocol that sends given lines first, then a fix ten times a second.
package final class StrangeGpsd {
    package static let python = Child.find("python3")

    package let port = freePort()
    private let scratch: Scratch
    private var child: Child?

    /// Starts the server, which sends `lines` to each client that requests reports.
    package init(sending lines: [String]) throws {
        guard let python = Self.python else { throw PeerMissing(name: "python3") }
        scratch = try Scratch()
        try scratch.write(lines.joined(separator: "\n") + "\n", to: "lines")
        child = try Child(python, ["-c", Self.script, String(port), scratch.path])
        guard eventually({ isListening(port) }) else { throw PeerMissing(name: "the gpsd") }
    }

    package var fixCount: Int { scratch.lines(of: "fixes").count }

    package var requests: [String] { scratch.lines(of: "requests").map(String.init) }

    private static let script = #"""
        import datetime, json, socket, sys, threading, time
        port, folder = int(sys.argv[1]), sys.argv[2]

        def report():
            now = datetime.datetime.now(datetime.timezone.utc)
            return {"class": "TPV", "device": "/dev/gps0", "mode": 3, "lat": 52.5, "lon": 13.4, "altMSL": 40.0,
                    "time": now.strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z", "speed": 0.0, "eph": 6.0}

        def serve(client):
            try:
                client.sendall(b'{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}\n')
                request = b""
                while b'"enable":true' not in request: request = client.recv(4096)
                with open(folder + "/requests", "ab") as log: log.write(request.strip() + b"\n")
                client.sendall(open(folder + "/lines", "rb").read())
                client.sendall(b'{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/gps0",'
                               b'"activated":"2026-01-01T00:00:00.000Z"}]}\n'
                               b'{"class":"SKY","device":"/dev/gps0","hdop":0.9,"nSat":9,"uSat":7}\n')
                while True:
                    client.sendall(json.dumps(report(), separators=(",", ":")).encode() + b"\n")
                    with open(folder + "/fixes", "a") as log: log.write("fix\n")
                    time.sleep(0.1)
            except OSError: pass

        listener = socket.create_server(("127.0.0.1", port))
        while True:
            threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
        """#
}

/// Lines from gpsd that must not stop a client.
package enum GpsdLines {
    /// Lines on which libgps 3.22 hangs.
    ///
    /// The loop in `gps_unpack` starts again and again at text that it cannot parse.
    package static let endless: [String] = [
        #"{5"class":"TPV"}"#,
        devices((1...5).map { #"{"class":"DEVICE","path":"/dev/gps\#($0)"}"# }.joined(separator: ",")),
        device(#""path":"/dev/\#(String(repeating: "a", count: 130))""#),
        device(#""path":"/dev/a","subtype":"\#(String(repeating: "s", count: 200))""#),
        device(#""path":"/dev/a","subtype1":"\#(String(repeating: "s", count: 200))""#),
        device(#""path":"/dev/a","driver":"\#(String(repeating: "d", count: 70))""#),
        device(#""path":"/dev/a","driver":null"#),
        device(#""path":null"#),
        device(#""path":"/dev/a","bps":"9600""#),
        device(#""path":"/dev/a","new":{"a":1}"#),
        device(#""path":"/dev/a","new":[1,2]"#),
        device(#""path":"/dev/a","activated":[]"#),
        #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/a""#,
        #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/a"}"#,
    ]

    /// Lines of which libgps parses only a part, or whose meaning it guesses.
    package static let odd: [String] = [
        #"{"class":"DEVICES","devices":{}}"#,
        #"{"class":"DEVICES","devices":"none"}"#,
        #"{"class":"DEVICES","devices":["#,
        #"{"class":"SKY","satellites":[{"PRN":"4"}]}"#,
        #"{"class":"TPV","mode":"3"}"#,
        #"{"class":"TPV","lat":-inf}"#,
        #"{"class":"TPV","new":{"a":[{}]},"mode":3}"#,
        #"{"class":"VERSION","release":{"a":1}}"#,
    ]

    package static let all = endless + odd

    private static func device(_ members: String) -> String { devices(#"{"class":"DEVICE",\#(members)}"#) }

    private static func devices(_ list: String) -> String { #"{"class":"DEVICES","devices":[\#(list)]}"# }
}
