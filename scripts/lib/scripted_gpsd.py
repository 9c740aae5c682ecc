"""A fake gpsd, which sends given reports; the reports may contain receiver errors that a real gpsd cannot produce.

Usage: scripted_gpsd.py FOLDER PORT INTERVAL BEGAN EPOCH SPEED

FOLDER/reports has one report per line: the error of the report's date in seconds, a tab, and the JSON object with `%T` in place of
the date. While a client watches, the server sends the reports INTERVAL seconds apart, and then repeats the last report. The
simulation began at the real time BEGAN with the date EPOCH, both in seconds since 1970, and runs SPEED times as fast as real
time. FOLDER/sent gets a line for each report sent.
"""

import datetime
import itertools
import socket
import sys
import threading
import time
from pathlib import Path

VERSION = '{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}\r\n'
WATCH = '{"class":"WATCH","enable":true,"json":true,"nmea":false,"raw":0,"scaled":false}\r\n'
DEVICES = (
    '{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/gps0","driver":"NMEA0183",'
    '"activated":"2026-01-01T00:00:00.000Z"}]}\r\n'
)

FOLDER = Path(sys.argv[1])
PORT = int(sys.argv[2])
INTERVAL, BEGAN, EPOCH, SPEED = [float(word) for word in sys.argv[3:]]
REPORTS = [line.split("\t", 1) for line in (FOLDER / "reports").read_text(encoding="ascii").split("\n")]
COUNTER = itertools.count()


def dated(wrong_by: str, line: str) -> str:
    """Returns the report with the present date of the simulation."""
    moment = EPOCH + (time.time() - BEGAN) * SPEED + float(wrong_by)
    date = datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=moment)
    return line.replace("%T", date.strftime("%Y-%m-%dT%H:%M:%S.") + f"{date.microsecond // 1000:03d}Z")


def serve(client: socket.socket) -> None:
    """Sends reports to a client while the client watches."""
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    client.sendall(VERSION.encode())
    watching = False
    next_at = time.time()
    while True:
        client.settimeout(max(0.001, next_at - time.time()))
        try:
            words = client.recv(4096).decode()
            if not words:
                return
            if '"enable":true' in words:
                watching = True
                client.sendall((DEVICES + WATCH).encode())
            if '"enable":false' in words:
                watching = False
            continue
        except socket.timeout:
            pass
        next_at += INTERVAL
        if not watching:
            continue
        number = next(COUNTER)
        client.sendall((dated(*REPORTS[min(number, len(REPORTS) - 1)]) + "\r\n").encode())
        with (FOLDER / "sent").open("a", encoding="ascii") as log:
            log.write(f"{number + 1}\n")


def guarded(client: socket.socket) -> None:
    """Serves a client until the connection ends."""
    try:
        serve(client)
    except OSError:
        pass


def main() -> None:
    """Serves all clients."""
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", PORT))
    listener.listen(8)
    while True:
        threading.Thread(target=guarded, args=(listener.accept()[0],), daemon=True).start()


main()
