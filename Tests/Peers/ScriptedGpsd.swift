import Foundation

/// A fake gpsd in a separate process.
///
/// The server sends the given reports, which may contain receiver errors that a real gpsd cannot produce.
package final class ScriptedGpsd {
    /// A report of the receiver.
    package struct Report: Sendable {
        package var latitude: Double
        package var longitude: Double
        package var speed = 0.0
        /// The error of the report's date in seconds.
        package var wrongBy = 0.0
        /// More members of the JSON object, such as `"altMSL":9`.
        package var more = ""

        package init(latitude: Double, longitude: Double) {
            self.latitude = latitude
            self.longitude = longitude
        }

        fileprivate var line: String {
            let tail = more.isEmpty ? "" : "," + more
            return "\(wrongBy)\t{\"class\":\"TPV\",\"device\":\"/dev/gps0\",\"mode\":3,\"time\":\"%T\",\"eph\":6,"
                + "\"speed\":\(speed),\"lat\":\(latitude),\"lon\":\(longitude)\(tail)}"
        }
    }

    package let port = freePort()
    private let scratch: Scratch
    private let child: Child

    /// While a client watches, sends the reports `interval` seconds apart, and then repeats the last report.
    ///
    /// The simulation began at the real time `began` with the date `epoch`, both in seconds since 1970. The simulation runs `speed`
    /// times as fast as real time.
    package init(_ reports: [Report], every interval: Double, began: Double, epoch: Double, speed: Double) throws {
        guard let python = WebServer.python else { throw PeerMissing(name: "python3") }
        scratch = try Scratch()
        try scratch.write(reports.map(\.line).joined(separator: "\n"), to: "reports")
        let numbers = [Double(port), interval, began, epoch, speed].map { "\($0)" }
        child = try Child(python, ["-c", Self.script, scratch.path] + numbers)
        let port = port
        guard eventually({ isListening(port, on: "127.0.0.1") }) else { throw PeerMissing(name: "the scripted gpsd") }
    }

    /// Reports a vehicle that stands at this place, twice a second and with the right date.
    ///
    /// A program with such a receiver soon knows the time, also on a computer without a synchronised clock: in the first 15 minutes
    /// after boot, the program does not deliver records of unknown time.
    package convenience init(standingAt latitude: Double, _ longitude: Double) throws {
        let now = Date().timeIntervalSince1970
        try self.init(
            [Report(latitude: latitude, longitude: longitude)], every: 0.5, began: now, epoch: now, speed: 1)
    }

    /// The number of reports sent.
    package var sent: Int { scratch.lines(of: "sent").count }

    private static let script = #"""
        import datetime, socket, sys, threading, time
        folder = sys.argv[1]
        port, interval, began, epoch, speed = [float(word) for word in sys.argv[2:]]
        reports = [line.split("\t", 1) for line in open(folder + "/reports").read().split("\n")]
        counter = 0
        VERSION = '{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}\r\n'
        WATCH = '{"class":"WATCH","enable":true,"json":true,"nmea":false,"raw":0,"scaled":false}\r\n'
        DEVICES = ('{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/gps0","driver":"NMEA0183",'
                   '"activated":"2026-01-01T00:00:00.000Z"}]}\r\n')

        def dated(wrong_by, line):
            moment = epoch + (time.time() - began) * speed + float(wrong_by)
            date = datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=moment)
            return line.replace("%T", date.strftime("%Y-%m-%dT%H:%M:%S.") + "%03dZ" % (date.microsecond // 1000))

        def serve(client):
            global counter
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            client.sendall(VERSION.encode())
            client.settimeout(interval)
            watching = False
            next_at = time.time()
            while True:
                client.settimeout(max(0.001, next_at - time.time()))
                try:
                    words = client.recv(4096).decode()
                    if not words: return
                    if '"enable":true' in words:
                        watching = True
                        client.sendall((DEVICES + WATCH).encode())
                    if '"enable":false' in words: watching = False
                    continue
                except socket.timeout: pass
                next_at += interval
                if not watching: continue
                wrong_by, line = reports[min(counter, len(reports) - 1)]
                counter += 1
                client.sendall((dated(wrong_by, line) + "\r\n").encode())
                with open(folder + "/sent", "a") as log: log.write("%d\n" % counter)

        def guarded(client):
            try: serve(client)
            except OSError: pass

        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", int(port)))
        listener.listen(8)
        while True: threading.Thread(target=guarded, args=(listener.accept()[0],), daemon=True).start()
        """#
}
