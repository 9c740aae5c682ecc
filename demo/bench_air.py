"""Counts the bytes that a recorded location takes on the way to a server.

Usage: bench_air.py --trackerd PROGRAM [--records N]

A recorded drive is played into the program, and scripts/lib/complete_records.py adds the values that the recording lacks. The program
then delivers the locations to a small web server, over HTTP and HTTPS, and to mosquitto, over MQTT with and without TLS. The kernel
counts the bytes and the packets of each connection (TCP_INFO). Packets carry at most 1400 bytes, as on most mobile networks.
"""

import gzip
import json
import shutil
import socket
import sqlite3
import ssl
import struct
import sys
import threading
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from pathlib import Path

import bench
from processes import DemoError, free_port, wait_until

DRIVES = 4
PACKET_BYTES = 1400
#: The headers of a packet: 20 bytes for IPv4, 20 for TCP, 12 for the time stamps of TCP.
HEADERS_BYTES = 52

SECURE = "certfile {scratch}/certificate.pem\nkeyfile {scratch}/key.pem\n"


@dataclass(frozen=True)
class Traffic:
    """What has crossed a connection."""

    up: int = 0
    down: int = 0
    packets: int = 0

    @classmethod
    def of(cls, connection: socket.socket) -> "Traffic":
        """The traffic of a connection so far, as the server counts it."""
        info = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 256)
        # linux/tcp.h: tcpi_bytes_acked, tcpi_bytes_received, tcpi_segs_out, tcpi_segs_in.
        acked, received, segments_out, segments_in = struct.unpack_from("=QQII", info, 120)
        return cls(received, acked, segments_out + segments_in)

    def __sub__(self, other: "Traffic") -> "Traffic":
        return Traffic(self.up - other.up, self.down - other.down, self.packets - other.packets)

    @property
    def whole(self) -> int:
        """All bytes in both directions, with the headers of the packets."""
        return self.up + self.down + self.packets * HEADERS_BYTES


@dataclass(frozen=True)
class Request:
    """A request, and what crossed the connection since the last one: the answer to the last one, and this request."""

    records: int
    head: int
    body: int
    traffic: Traffic


class Server(bench.Server):
    """Answers `[]`, and notes the requests."""

    def __init__(self, certificate: Path | None) -> None:
        self.requests: list[Request] = []
        self.opening = Traffic()
        super().__init__(("127.0.0.1", 0), Handler, bind_and_activate=False)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, PACKET_BYTES)
        self.server_bind()
        self.server_activate()
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate, certificate.parent / "key.pem")
            self.socket = context.wrap_socket(self.socket, server_side=True, do_handshake_on_connect=False)
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Handler(bench.Handler):
    """One connection."""

    server: Server

    def setup(self) -> None:
        """Opens the connection."""
        super().setup()
        if isinstance(self.connection, ssl.SSLSocket):
            self.connection.do_handshake()
        self.server.opening = self.before = Traffic.of(self.connection)

    def do_POST(self) -> None:  # noqa: N802  (the name is the library's)
        """Notes a request."""
        body = self.body()
        lines = [self.requestline, *(f"{name}: {value}" for name, value in self.headers.items()), ""]
        now = Traffic.of(self.connection)
        is_short = self.headers["Content-Encoding"] == "gzip"
        value = json.loads(gzip.decompress(body) if is_short else body)
        head = sum(len(line) + 2 for line in lines)
        self.server.requests.append(Request(records_in(value), head, len(body), now - self.before))
        self.before = now
        self.answer()


def records_in(value: dict) -> int:
    """The number of records in the object of a request."""
    return len(value["features"]) if "features" in value else 1


class Relay:
    """Passes connections on to a broker, and keeps the traffic of the last one."""

    def __init__(self, port: int) -> None:
        self.traffic = Traffic()
        self._to = port
        self._listener = socket.socket()
        self._listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, PACKET_BYTES)
        self._listener.bind(("127.0.0.1", 0))
        self._listener.listen()
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            client, _ = self._listener.accept()
            broker = socket.create_connection(("127.0.0.1", self._to))
            for near in (client, broker):
                near.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=self._pass, args=(client, broker), daemon=True).start()
            threading.Thread(target=self._pass, args=(broker, client), daemon=True).start()

    def _pass(self, source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                sink.sendall(data)
                client = source if source.getsockname()[1] == self.port else sink
                self.traffic = Traffic.of(client)
            sink.shutdown(socket.SHUT_WR)


def main() -> None:
    """Measures all cases and prints a table."""
    parser = bench.arguments(__doc__)
    parser.add_argument("--records", type=int, default=400, help="the number of locations to deliver, 400 by default")
    arguments = parser.parse_args()
    with ExitStack() as stack:
        air = Air(arguments.trackerd.resolve(), bench.folder(stack), arguments.records)
        titles = ("in a request", "request", "HTTP head", "sent", "received", "with TCP, IP")
        print(f"{'bytes per location':<26}" + "".join(f"{title:>14}" for title in titles))
        for form, size, rest in (
            ("geojson", 100, "compress: none"), ("geojson", 100, "compress: gzip"),
            ("geojson", 10, "compress: gzip"), ("geojson", 1, "compress: gzip"), ("owntracks", 1, ""),
        ):  # fmt: skip
            for is_secure in (False, True):
                air.over_http(form, size, rest, is_secure)
        air.over_mqtt(stack)
        print(f"opening a connection for https: {air.opening} bytes with TCP, IP")


class Air:
    """A backlog of completed locations, and the program that delivers it."""

    def __init__(self, trackerd: Path, scratch: Path, records: int) -> None:
        self.trackerd, self.scratch, self.records = trackerd, scratch, records
        #: The bytes that open a TLS connection; the largest possible number until a connection was opened.
        self.opening = sys.maxsize
        self.certificate = scratch / "certificate.pem"
        key = ["-keyout", scratch / "key.pem", "-out", self.certificate, "-subj", "/CN=127.0.0.1"]
        names = ["-addext", "subjectAltName=IP:127.0.0.1"]
        # A certificate with a key of this kind is small, as those of Let's Encrypt are by default.
        curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]
        bench.run(["openssl", "req", "-x509", *curve, "-nodes", "-days", "2", *key, *names])
        self._configure("")
        database = bench.record_drives(trackerd, scratch, DRIVES)
        bench.run([sys.executable, "-B", bench.ROOT / "scripts/lib/complete_records.py", database, str(records)])
        with closing(sqlite3.connect(database)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self.backlog = scratch / "backlog.sqlite"
        shutil.move(database, self.backlog)

    def over_http(self, form: str, size: int, rest: str, is_secure: bool) -> None:
        """Prints the bytes of a request with this number of locations."""
        server = Server(self.certificate if is_secure else None)
        scheme = "https" if is_secure else "http"
        url = f"{scheme}://127.0.0.1:{server.server_address[1]}/records"
        keys = f'format: {form}, batchSize: {size}, order: oldestFirst, caFile: "{self.certificate}"'
        if not is_secure:
            keys = keys.rpartition(",")[0]
        self._deliver(f'url: "{url}", {keys}' + (f", {rest}" if rest else ""), self.records)
        server.shutdown()
        # The first request of a connection has no answer before it.
        whole = [request for request in server.requests[1:] if request.records == size]
        if not whole:
            raise DemoError(f"{form}: no request with {size} records. Increase --records.")
        number = len(whole) * size
        figures = [sum(figure) / number for figure in zip(*(
            (r.head + r.body, r.head, r.traffic.up, r.traffic.down, r.traffic.whole) for r in whole))]  # fmt: skip
        title = f"{form}, {scheme}" + (", plain" if "none" in rest else "")
        row(title, size, figures)
        if is_secure:
            # The beginning of the first request may have arrived with the end of the handshake.
            self.opening = min(self.opening, server.opening.whole)

    def over_mqtt(self, stack: ExitStack) -> None:
        """Prints the bytes of a message of OwnTracks, with and without TLS."""
        plain, secure = free_port(), free_port()
        bench.start_mosquitto(stack, self.scratch, plain, secure, more=SECURE.format(scratch=self.scratch))
        for scheme, port in (("mqtt", plain), ("mqtts", secure)):
            half, all_ = (self._over_mqtt(scheme, port, records) for records in (self.records // 2, self.records))
            rest, number = all_ - half, self.records - self.records // 2
            row(f"owntracks, {scheme}", 1, [None, None, rest.up / number, rest.down / number, rest.whole / number])

    def _over_mqtt(self, scheme: str, port: int, records: int) -> Traffic:
        relay = Relay(port)
        rest = f', caFile: "{self.certificate}"' if scheme == "mqtts" else ""
        self._deliver(f'url: "{scheme}://127.0.0.1:{relay.port}", format: owntracks, order: oldestFirst{rest}', records)
        return relay.traffic

    def _deliver(self, target: str, records: int) -> None:
        path = self.scratch / "trackerd.sqlite"
        bench.copy_backlog(self.backlog, path)
        with closing(sqlite3.connect(path)) as database, database:
            database.execute(
                "DELETE FROM record WHERE sequence NOT IN (SELECT sequence FROM record ORDER BY sequence LIMIT ?)", (records,)
            )
            (last,) = database.execute("SELECT MAX(sequence) FROM record").fetchone()
        self._configure(f"{{name: bench, {target}}}")
        command = [str(self.trackerd), "run", "--board", "bare", "--gpsd", f"127.0.0.1:{free_port()}"]
        with ExitStack() as stack:
            program = bench.start_trackerd(stack, self.scratch, command)
            database = stack.enter_context(closing(bench.open_to_read(path)))

            def is_delivered() -> bool:
                program.check()
                (cursor,) = database.execute("SELECT COALESCE((SELECT cursor FROM delivery), 0)").fetchone()
                return cursor >= last

            wait_until(is_delivered, 60, "all locations at the server")

    def _configure(self, target: str) -> None:
        bench.configure(self.scratch, f"targets: [{target}]", "tracking: {desiredSyncInterval: 0}", device="van1")


def row(title: str, size: int, figures: list[float | None]) -> None:
    """Prints a line of the table."""
    texts = ["–" if figure is None else f"{figure:.1f}" for figure in figures]
    print(f"{title:<26}{size:>14}" + "".join(f"{text:>14}" for text in texts), flush=True)


if __name__ == "__main__":
    bench.end(main)
