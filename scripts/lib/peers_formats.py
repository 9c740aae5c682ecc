"""Sends the bodies of a drive to programs that others wrote: jsonschema and geojson (RFC 7946), and PyNaCl (OwnTracks' encryption).
Also checks the bodies by the rules in the sources of Traccar and Dawarich for reading a request.

scripts/peers runs this.
"""
# pip: jsonschema==4.23.0 geojson==3.1.0 pynacl==1.5.0

import base64
import gzip
import http.server
import json
import pathlib
import subprocess
import sys
import tempfile
import threading
import urllib.parse
from datetime import datetime

import geojson
import jsonschema
import nacl.secret

ROOT = pathlib.Path(__file__).resolve().parents[2]
KEY = "correct-horse"
TARGETS = {
    "complete": "format: geojson",
    "sealed": "owntracks: {encryptionKey: %s}" % KEY,
    "form": "format: traccar",
    "query": "format: traccar, traccar: {form: query}",
    "json": "format: traccar, traccar: {form: json}",
    "overland": "format: overland",
    "transistor": "format: transistor",
}


class Server(http.server.ThreadingHTTPServer):
    """Collects the requests of each target."""

    daemon_threads = True

    def __init__(self):
        self.received = {name: [] for name in TARGETS}
        super().__init__(("127.0.0.1", 0), Handler)

    def handle_error(self, request, address):
        """Ignores the error of a connection that trackerd drops when it ends."""


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        body = (gzip.decompress(body) if self.headers.get("Content-Encoding") == "gzip" else body).decode()
        url = urllib.parse.urlsplit(self.path)
        target = url.path.strip("/")
        self.server.received[target].append(url.query or body)
        answer = b'{"result":"ok"}'
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    do_GET = do_POST

    def log_message(self, *_):
        pass


def drive(server, folder):
    """Lets trackerd drive a recorded trip, until each target has received all expected records."""
    url = "http://127.0.0.1:%d" % server.server_address[1]
    targets = "".join('  - {name: %s, url: "%s/%s", %s}\n' % (name, url, name, rest) for name, rest in TARGETS.items())
    config = folder / "config.yaml"
    config.write_text(
        "device: van1\nstore: {path: %s/t.sqlite}\ncontrol: {socket: %s/control.sock}\ntargets:\n%s"
        "regions: [{name: Depot, latitude: 41.6625, longitude: -91.5379, radius: 150}]\n"
        "tracking: {desiredSyncInterval: 0, distanceFilter: 20, drivingEvents: true}\n" % (folder, folder, targets)
    )
    program = [ROOT / ".build/debug/trackerd", "run", "--board", "sim", "--speed", "50", "--exit-at-end", "--config", config]
    subprocess.run([*program, "--drive", ROOT / "Tests/Traces/sample_trip.csv.gz"], check=True, stderr=subprocess.DEVNULL, timeout=300)


def complete(bodies):
    schema = json.loads((ROOT / "docs/geojson.schema.json").read_text())
    check = jsonschema.Draft202012Validator(schema, format_checker=jsonschema.FormatChecker())
    count = 0
    for body in map(json.loads, bodies):
        check.validate(body)
        for feature in body["features"]:
            assert feature["geometry"] is None or geojson.loads(json.dumps(feature)).is_valid, feature
            count += 1
    return count


def sealed(bodies):
    """Opens messages as Home Assistant does: the key padded with zero bytes, the nonce in front."""
    box = nacl.secret.SecretBox(KEY.encode().ljust(32, b"\0"))
    for body in map(json.loads, bodies):
        assert body["_type"] == "encrypted" and list(body) == ["_type", "data"]
        message = json.loads(box.decrypt(base64.b64decode(body["data"], validate=True)))
        assert message["_type"] in ("location", "transition", "waypoint") and message["topic"].startswith("owntracks/trackerd/van1")
    return len(bodies)


def query(bodies):
    """Reads parameters as OsmAndProtocolDecoder does."""
    for body in bodies:
        values = dict(urllib.parse.parse_qsl(body, strict_parsing=True))
        assert values["id"] == "van1"
        # Below 2^31 the number would be seconds.
        assert int(values["timestamp"]) > 2**31
        if "lat" in values:
            assert -90 <= float(values["lat"]) <= 90 and -180 <= float(values["lon"]) <= 180
        for key in ("speed", "bearing", "altitude", "accuracy", "odometer", "sat", "power"):
            float(values.get(key, 0))
        assert values["motion"] in ("true", "false")
    return len(bodies)


def traccar_json(bodies):
    """Reads the object as the server's JSON form requires it: one position, and all six numbers of coords."""
    for body in map(json.loads, bodies):
        location = body["location"]
        assert body["device_id"] == "van1" and isinstance(location["odometer"], int)
        datetime.fromisoformat(location["timestamp"].replace("Z", "+00:00"))
        if "coords" in location:
            for key in ("latitude", "longitude", "speed", "heading", "accuracy", "altitude"):
                assert type(location["coords"][key]) in (int, float), key
        for value in location.get("extras", {}).values():
            assert type(value) in (int, float, bool, str)
    return len(bodies)


def overland(bodies):
    """Reads points as Dawarich's Overland::Params does."""
    count = 0
    for body in map(json.loads, bodies):
        for point in body["locations"]:
            assert geojson.loads(json.dumps(point)).is_valid, point
            datetime.strptime(point["properties"]["timestamp"], "%Y-%m-%dT%H:%M:%SZ")
            assert point["properties"]["device_id"] == "van1"
            assert all(key in point["properties"] for key in ("speed", "horizontal_accuracy", "vertical_accuracy", "motion"))
            count += 1
    return count


def transistor(bodies):
    """Reads locations with the types of the SDK's Location.d.ts."""
    count = 0
    for body in map(json.loads, bodies):
        for location in body["location"]:
            for key in ("latitude", "longitude", "accuracy", "speed", "heading"):
                assert type(location["coords"][key]) in (int, float), key
            assert type(location["is_moving"]) is bool and type(location["odometer"]) in (int, float)
            assert location.get("event") in (None, "motionchange", "geofence", "heartbeat", "providerchange")
            datetime.strptime(location["timestamp"], "%Y-%m-%dT%H:%M:%S.%fZ")
            count += 1
    return count


CHECKS = {
    "complete": complete,
    "sealed": sealed,
    "form": query,
    "query": query,
    "json": traccar_json,
    "overland": overland,
    "transistor": transistor,
}


def main():
    server = Server()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as folder:
        drive(server, pathlib.Path(folder))
    for name, check in CHECKS.items():
        count = check(server.received[name])
        print("%-12s %4d records accepted, in %d requests" % (name, count, len(server.received[name])))
        if not count:
            sys.exit("peers: %s received no record" % name)


main()
