"""Passes connections of trackerd on to a real server, and causes faults on demand.

Usage: faultproxy.py --listen [HOST:]PORT --to [HOST:]PORT [--manner FILE] [--plan "SECONDS MANNER; SECONDS MANNER; …"] [--log FILE]
                     [--certificate FILE --key FILE]

The proxy reads the present manner from FILE, which may change at any time; without FILE the manner is `good`. A change breaks
the open connections. With --plan the proxy writes FILE itself, and repeats the plan until it is killed. With a certificate the
proxy ends TLS, and passes plain text on. It writes one JSON line to the --log file for each connection, and for each answer of
its own. The proxy prints `ready` when it listens, and ends with SIGTERM or with its parent process.

Manners of any connection:
  good              passes everything on
  refuse            does not listen on the port, and lets no other program listen there
  reset N           after N bytes of the client, resets the connection
  cut N             after N bytes of the server, resets the connection: the server has the data, the client has half an answer
  stall N           after N bytes of the client, passes nothing on in either direction
  slow N            passes N bytes per second on, in each direction
  garbage           answers with random bytes
  silent            accepts connections and does nothing
  wrong             with --certificate: a certificate of another name
  expired           with --certificate: a certificate of this name that has expired

Manners of HTTP; the proxy answers each request itself, after it has read it:
  status N [TEXT]   this status, with TEXT as body
  busy S [N]        status 429, or N, and `Retry-After: S`
  moved URL         status 308 to this URL
  body TEXT         status 200 with TEXT as JSON, such as {"error":"no"}
  portal            status 200 with a web page, as a network's log-in page

Manners of MQTT (3.1.1 and 5); anything else passes on:
  mute              withholds the acknowledgements of messages
  deny              drops messages, and acknowledges them like a broker with an ACL that forbids them: MQTT 5 with reason 135,
                    MQTT 3.1.1 without any sign
"""

import argparse
import json
import os
import random
import select
import signal
import socket
import ssl
import struct
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

CHUNK = 65536
#: An open connection notices a change of the manner within this time.
TICK_S = 0.05


class Changed(Exception):
    """The manner has changed, so the connection ends."""


class Proxy:
    """The listening socket, the manner and the log."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self.listen = address(arguments.listen)
        self.to = address(arguments.to)
        self.file = arguments.manner
        self.log_file = arguments.log
        self.lock = threading.Lock()
        self.contexts: dict[str, ssl.SSLContext] = {}
        if arguments.certificate:
            self.contexts = certificates(arguments.certificate, arguments.key)
        self.listener = socket.create_server(self.listen, backlog=64, reuse_port=False)
        self.is_open = True

    def manner(self) -> str:
        """Returns the present manner."""
        if not self.file:
            return "good"
        try:
            return self.file.read_text(encoding="utf-8").strip() or "good"
        except FileNotFoundError:
            return "good"

    def log(self, **fields: object) -> None:
        """Writes a line to the log."""
        if not self.log_file:
            return
        with self.lock, self.log_file.open("a", encoding="utf-8") as log:
            log.write(json.dumps({"at": round(time.time(), 3), **fields}) + "\n")

    def run(self) -> None:
        """Accepts connections for ever."""
        print("ready", flush=True)
        while True:
            should_open = self.manner() != "refuse"
            if should_open and not self.is_open:
                # Without this option, a connection that is still open prevents the socket from listening.
                self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                self.listener.listen(64)
            elif self.is_open and not should_open:
                # No other program can bind the port, which the socket keeps on Linux when it stops listening.
                self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 0)
                self.listener.shutdown(socket.SHUT_RDWR)
            self.is_open = should_open
            if not self.is_open:
                time.sleep(TICK_S)
                continue
            if not select.select([self.listener], [], [], TICK_S)[0]:
                continue
            client, _ = self.listener.accept()
            threading.Thread(target=self.serve, args=(client, self.manner()), daemon=True).start()

    def serve(self, client: socket.socket, manner: str) -> None:
        """Serves one connection, and ends it when the manner changes."""
        self.log(connection=manner)
        try:
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if self.contexts:
                client.settimeout(20)
                client = self.contexts.get(manner, self.contexts["good"]).wrap_socket(client, server_side=True)
            Connection(self, client, manner).run()
        except (Changed, OSError, EOFError, ValueError):
            reset(client)


class Connection:
    """A connection of a client, and the connection to the server behind the proxy."""

    def __init__(self, proxy: Proxy, client: socket.socket, manner: str) -> None:
        self.proxy, self.client, self.manner = proxy, client, manner
        self.word, _, self.rest = manner.partition(" ")

    def run(self) -> None:
        """Serves the connection in its manner."""
        own = {"silent": self.silent, "garbage": self.garbage}
        if self.word in own:
            own[self.word]()
        elif self.word in ("status", "busy", "moved", "body", "portal"):
            while True:
                self.answer()
        else:
            with socket.create_connection(self.proxy.to, timeout=20) as server:
                server.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                (self.packets if self.word in ("mute", "deny") else self.pass_on)(server)

    def number(self) -> int:
        """Returns the number after the manner's name; 0 if there is none."""
        return int(self.rest.split()[0]) if self.rest else 0

    def check(self) -> None:
        """Ends the connection if the manner has changed."""
        if self.proxy.manner() != self.manner:
            raise Changed

    def read(self, source: socket.socket) -> bytes:
        """Returns the next bytes."""
        while True:
            pending = isinstance(source, ssl.SSLSocket) and source.pending()
            if pending or select.select([source], [], [], TICK_S)[0]:
                data = source.recv(CHUNK)
                if not data:
                    raise EOFError
                return data
            self.check()

    def silent(self) -> None:
        """Neither reads nor writes."""
        while True:
            time.sleep(TICK_S)
            self.check()

    def garbage(self) -> None:
        """Answers with random bytes."""
        self.read(self.client)
        self.client.sendall(random.randbytes(3000))
        self.client.close()

    # HTTP

    def answer(self) -> None:
        """Reads a request, and answers it."""
        data = b""
        while b"\r\n\r\n" not in data:
            data += self.read(self.client)
        head, _, body = data.partition(b"\r\n\r\n")
        lines = [line.partition(b":") for line in head.lower().split(b"\r\n")[1:]]
        headers = {name.strip(): value.strip() for name, _, value in lines}
        while len(body) < int(headers.get(b"content-length", b"0")):
            body += self.read(self.client)
        status, fields, text = self.reply()
        self.proxy.log(answer=status, bytes=len(body))
        fields["Content-Length"] = str(len(text.encode()))
        lines = [f"HTTP/1.1 {status} Fault"] + [f"{name}: {value}" for name, value in fields.items()]
        self.client.sendall(("\r\n".join(lines) + "\r\n\r\n" + text).encode())

    def reply(self) -> tuple[int, dict[str, str], str]:
        """Returns status, headers and body of the answer."""
        page = {"Content-Type": "text/html"}
        json_type = {"Content-Type": "application/json"}
        words = self.rest.split(" ", 1)
        if self.word == "status":
            return int(words[0]), {"Content-Type": "text/plain"}, words[1] if len(words) > 1 else ""
        if self.word == "busy":
            return int(words[1]) if len(words) > 1 else 429, {"Retry-After": words[0]}, ""
        if self.word == "moved":
            return 308, {"Location": self.rest}, ""
        if self.word == "body":
            return 200, json_type, self.rest
        return 200, page, "<!DOCTYPE html><html><title>Welcome</title><form>Log in</form></html>"

    # Bytes

    def pass_on(self, server: socket.socket) -> None:
        """Passes bytes on in both directions."""
        counts = {self.client: 0, server: 0}
        ends = {self.client: server, server: self.client}
        while True:
            ready = [end for end in ends if isinstance(end, ssl.SSLSocket) and end.pending()]
            ready = ready or select.select(list(ends), [], [], TICK_S)[0]
            if not ready:
                self.check()
            for source in ready:
                data = source.recv(self.number() if self.word == "slow" else CHUNK)
                if not data:
                    return self.close_softly(server)
                data = self.hampered(data, source is self.client, counts[source])
                counts[source] += len(data)
                ends[source].sendall(data)

    def close_softly(self, server: socket.socket) -> None:
        """Passes the end of the connection on."""
        for end in (self.client, server):
            end.close()

    def hampered(self, data: bytes, is_request: bool, before: int) -> bytes:
        """Returns the bytes to pass on; waits or ends the connection as the manner requires."""
        limit = self.number()
        if self.word == "slow":
            time.sleep(len(data) / max(1, limit))
            self.check()
        if self.word == "reset" and is_request and before + len(data) >= limit:
            raise EOFError
        if self.word == "cut" and not is_request and before + len(data) >= limit:
            self.client.sendall(data[: max(0, limit - before)])
            raise EOFError
        if self.word == "stall" and is_request and before + len(data) >= limit:
            self.silent()
        return data

    # MQTT

    def packets(self, server: socket.socket) -> None:
        """Passes the packets of MQTT on, except those that the manner withholds."""
        is_five = False
        buffers = {self.client: b"", server: b""}
        while True:
            ready = select.select(list(buffers), [], [], TICK_S)[0]
            self.check()
            for source in ready:
                data = source.recv(CHUNK)
                if not data:
                    return self.close_softly(server)
                buffers[source] += data
                while (packet := whole_packet(buffers[source])) is not None:
                    buffers[source] = buffers[source][len(packet) :]
                    kind = packet[0] >> 4
                    if source is self.client:
                        if kind == 1:
                            is_five = body_of(packet)[6] == 5
                        if kind == 3 and self.word == "deny" and packet[0] >> 1 & 3:
                            self.deny(packet, is_five)
                            continue
                        server.sendall(packet)
                    elif not (kind == 4 and self.word == "mute"):
                        self.client.sendall(packet)

    def deny(self, packet: bytes, is_five: bool) -> None:
        """Acknowledges a message that the proxy drops."""
        body = body_of(packet)
        topic_bytes = struct.unpack(">H", body[:2])[0]
        identifier = body[2 + topic_bytes : 4 + topic_bytes]
        self.proxy.log(denied=body[2 : 2 + topic_bytes].decode())
        # MQTT 5, 3.4.2.1: 0x87 is `Not authorized`.
        self.client.sendall(b"\x40\x03" + identifier + b"\x87" if is_five else b"\x40\x02" + identifier)


def whole_packet(data: bytes) -> bytes | None:
    """Returns the first packet of MQTT in the bytes; None if it is not complete."""
    length = shift = 0
    for index in range(1, min(5, len(data))):
        length |= (data[index] & 127) << shift
        shift += 7
        if data[index] < 128:
            end = index + 1 + length
            return data[:end] if len(data) >= end else None
    return None


def body_of(packet: bytes) -> bytes:
    """Returns the packet without its fixed header."""
    index = 1
    while packet[index] >= 128:
        index += 1
    return packet[index + 1 :]


def reset(end: socket.socket) -> None:
    """Closes a connection with a reset."""
    try:
        end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        end.close()
    except OSError:
        pass


def address(text: str) -> tuple[str, int]:
    """Returns host and port."""
    host, _, port = text.rpartition(":")
    return host or "127.0.0.1", int(port)


def certificates(file: str, key: str) -> dict[str, ssl.SSLContext]:
    """Returns the right certificate, and two certificates that it has signed: one of another name, and an expired one."""
    folder = Path(tempfile.mkdtemp(prefix="faultproxy."))
    shown = subprocess.run(["openssl", "x509", "-in", file, "-noout", "-ext", "subjectAltName"], capture_output=True, check=True)
    name = shown.stdout.decode().split("\n")[1].strip().replace("IP Address:", "IP:")
    return {
        "good": context(file, key),
        "wrong": signed(folder / "wrong", "DNS:other.example", "20990101000000Z", file, key),
        "expired": signed(folder / "expired", name, "20010101000000Z", file, key),
    }


def signed(stem: Path, name: str, end: str, authority: str, authority_key: str) -> ssl.SSLContext:
    """Returns the TLS of a server with a certificate for the name, which expires at this time.

    `openssl ca` can date a certificate back; OpenSSL 3.5 refuses a negative `-days`.
    """
    quiet = {"check": True, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    request = ["openssl", "req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=fault", "-keyout", f"{stem}.key"]
    subprocess.run([*request, "-out", f"{stem}.csr"], **quiet)
    rules = f"[ca]\ndefault_ca=a\n[a]\ndatabase={stem}.index\nnew_certs_dir={stem.parent}\nrand_serial=yes\ndefault_md=sha256\n"
    rules += f"policy=p\nx509_extensions=e\n[p]\ncommonName=supplied\n[e]\nsubjectAltName={name}\n"
    Path(f"{stem}.conf").write_text(rules, encoding="ascii")
    Path(f"{stem}.index").touch()
    sign = ["openssl", "ca", "-batch", "-notext", "-config", f"{stem}.conf", "-cert", authority, "-keyfile", authority_key]
    sign += ["-startdate", "20000101000000Z", "-enddate", end, "-in", f"{stem}.csr", "-out", f"{stem}.pem"]
    subprocess.run(sign, **quiet)
    return context(f"{stem}.pem", f"{stem}.key")


def context(file: str, key: str) -> ssl.SSLContext:
    """Returns the TLS of a server with this certificate."""
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.load_cert_chain(file, key)
    return made


def follow(plan: str, file: Path) -> None:
    """Writes the manners of the plan to the file, each for its time, for ever."""
    steps = [step.strip().partition(" ") for step in plan.split(";") if step.strip()]
    while True:
        for seconds, _, manner in steps:
            new = file.with_suffix(".new")
            new.write_text(manner.strip(), encoding="utf-8")
            new.rename(file)
            time.sleep(float(seconds))


def end_with_parent() -> None:
    """Ends the proxy when the process that started it has ended."""
    parent = os.getppid()
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(0)


def main() -> int:
    """Runs the proxy."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--listen", required=True, help="HOST:PORT of the proxy")
    parser.add_argument("--to", required=True, help="HOST:PORT of the server")
    parser.add_argument("--manner", type=Path, help="the file with the present manner")
    parser.add_argument("--plan", help="the manners to follow, each with its time in seconds")
    parser.add_argument("--log", type=Path, help="the file for the log")
    parser.add_argument("--certificate", help="a certificate in PEM form")
    parser.add_argument("--key", help="the certificate's key")
    arguments = parser.parse_args()
    if arguments.plan and not arguments.manner:
        parser.error("--plan needs --manner")
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    threading.Thread(target=end_with_parent, daemon=True).start()
    if arguments.plan:
        threading.Thread(target=follow, args=(arguments.plan, arguments.manner), daemon=True).start()
        time.sleep(TICK_S)
    Proxy(arguments).run()
    return 0


if __name__ == "__main__":
    sys.exit(main())
