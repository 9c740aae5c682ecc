"""The receiver of the virtual Pi: sends the fixes of a recorded drive as NMEA, a fix per second, with the present time."""

import csv
import gzip
import math
import socket
import threading
import time
from datetime import UTC, datetime
from pathlib import Path

METRES_PER_SECOND_IN_A_KNOT = 1852 / 3600
#: gpsd derives its 95 % error from HDOP; with this divisor it matches the 68 % error of the recording (demo/timeline.py).
ERROR_PER_HDOP_M = 11.0


class Receiver:
    """Stands at the first fix until `drive`. At the end of the recording it drives back, and so on."""

    def __init__(self, path: Path, recording: Path, begin_s: int, end_s: int) -> None:
        with gzip.open(recording, "rt", newline="", encoding="utf-8") as file:
            rows = [row for row in csv.DictReader(file) if row["lat"] and begin_s <= float(row["t_s"]) <= end_s]
        self.rows, self.path, self.began = rows, path, None
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(str(path))
        listener.listen()
        threading.Thread(target=self._serve, args=(listener,), daemon=True).start()

    def drive(self) -> None:
        """Begins the drive."""
        self.began = time.time()

    def _serve(self, listener: socket.socket) -> None:
        """Sends to one machine after the other: each boot is a new connection."""
        while True:
            connection, _ = listener.accept()
            connection.setblocking(False)
            try:
                self._send(connection)
            except OSError:
                connection.close()

    def _send(self, connection: socket.socket) -> None:
        while True:
            now = time.time()
            time.sleep(1 - now % 1)
            try:
                # gpsd's own messages to the receiver.
                if not connection.recv(65536):
                    raise ConnectionError
            except BlockingIOError:
                pass
            try:
                connection.send(self._sentences(round(now + 1 - now % 1)))
            except BlockingIOError:
                pass  # the machine does not read yet; a real receiver does not wait either

    def _sentences(self, now: int) -> bytes:
        """Returns the fix of this second."""
        row, is_backwards, is_standing = self._row(now)
        speed = 0.0 if is_standing else float(row["speed_mps"]) / METRES_PER_SECOND_IN_A_KNOT
        course = (float(row["course_deg"] or 0) + (180 if is_backwards else 0)) % 360
        moment = datetime.fromtimestamp(now, UTC)
        place = f"{angle(row['lat'], 2, 'NS')},{angle(row['lon'], 3, 'EW')}"
        hdop = max(0.5, float(row["hacc_m"] or 5) / ERROR_PER_HDOP_M)
        texts = [f"GPRMC,{moment:%H%M%S}.00,A,{place},{speed:.2f},{course:.2f},{moment:%d%m%y},,,A",
                 f"GPGGA,{moment:%H%M%S}.00,{place},1,09,{hdop:.2f},{float(row['alt_m'] or 0):.1f},M,0.0,M,,",
                 f"GPGSA,A,3,01,02,03,04,05,06,07,08,09,,,,{hdop * 1.6:.2f},{hdop:.2f},{hdop * 1.2:.2f}"]
        return b"".join(sentence(text) for text in texts)

    def _row(self, now: int) -> tuple[dict[str, str], bool, bool]:
        if self.began is None:
            return self.rows[0], False, True
        last = len(self.rows) - 1
        lap, position = divmod(max(0, int(now - self.began)), last)
        return (self.rows[last - position], True, False) if lap % 2 else (self.rows[position], False, False)


def angle(text: str, digits: int, signs: str) -> str:
    """Returns degrees as NMEA writes them: degrees and minutes, and the hemisphere."""
    degrees = float(text)
    minutes, whole = math.modf(abs(degrees))
    return f"{int(whole):0{digits}d}{minutes * 60:07.4f},{signs[degrees < 0]}"


def sentence(text: str) -> bytes:
    """Returns the text with its checksum."""
    total = 0
    for byte in text.encode():
        total ^= byte
    return f"${text}*{total:02X}\r\n".encode()
