"""A web server that stands for the owner's: it takes what the tracker uploads, and keeps it."""

import json
import threading
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

JSON = dict[str, Any]


class Receiver:
    """Takes OwnTracks messages at /pub and GeoJSON collections at /geojson, on a free port of the loopback."""

    def __init__(self, folder: Path) -> None:
        self.messages: list[JSON] = []
        self.features: list[JSON] = []
        self._folder = folder
        self._lock = threading.Lock()
        handler = type("Handler", (_Handler,), {"receiver": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    @property
    def port(self) -> int:
        """The port that it listens on."""
        return self._server.server_port

    def take(self, path: str, body: JSON) -> bytes | None:
        """Keeps a body in memory and in a file; the answer, or None if there is no such place."""
        with self._lock:
            if path == "/pub":
                self.messages.append(body)
                self._keep("received-owntracks-http.ndjson", [body])
                return b"[]"
            if path == "/geojson":
                self.features += body["features"]
                self._keep("received-geojson-http.ndjson", body["features"])
                return b"{}"
        return None

    def stop(self) -> None:
        """Closes the port."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _keep(self, name: str, objects: list[JSON]) -> None:
        with (self._folder / name).open("a", encoding="utf-8") as file:
            file.writelines(json.dumps(item, ensure_ascii=False) + "\n" for item in objects)


class _Handler(BaseHTTPRequestHandler):
    """One connection to the receiver."""

    receiver: Receiver
    protocol_version = "HTTP/1.1"  # so that the tracker can keep its connection

    def handle(self) -> None:
        """Serves the connection; the tracker may reset it at its end."""
        with suppress(ConnectionResetError):
            super().handle()

    def do_POST(self) -> None:  # noqa: N802  (the name is the library's)
        """Answers 200 to what could be read, 400 to what could not, 404 elsewhere."""
        length = int(self.headers.get("Content-Length", 0))
        try:
            answer = self.receiver.take(self.path, json.loads(self.rfile.read(length)))
        except (ValueError, KeyError, TypeError):
            self._answer(400, b'{"error":"not understood"}')
        else:
            self._answer(200 if answer else 404, answer or b"{}")

    def _answer(self, status: int, body: bytes) -> None:
        # trackerd may end its connection at any time, as when the demo ends.
        with suppress(BrokenPipeError, ConnectionResetError):
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Prints nothing: the demo's own lines are what the user reads."""
