"""Delivers the backlog of a trackerd database as a script in Python would, for a comparison in bench-drain.

Usage: drain_by_python.py CLIENT FORM URL DATABASE SECONDS

CLIENT is urllib3, requests or httpx. FORM is geojson (100 records in a gzipped request) or owntracks (one record in a
request). Reads rows in order, posts them over one kept connection, and commits the cursor after each batch, or after 20
single records, without a sync, as trackerd does. Prints a line of bench-drain's table.
"""

import gzip
import json
import os
import resource
import sqlite3
import sys
import time
from datetime import UTC, datetime

from record_body import record_of, uuid_text

client_name, form, url, path, longest = sys.argv[1:6]
batch, commit = (100, 1) if form == "geojson" else (1, 20)


def make_post():
    """Returns a function that posts a body and returns the status."""
    try:
        if client_name == "urllib3":
            import urllib3

            pool = urllib3.PoolManager()
            return lambda body, headers: pool.request("POST", url, body=body, headers=headers).status
        if client_name == "requests":
            import requests

            session = requests.Session()
            return lambda body, headers: session.post(url, data=body, headers=headers).status_code
        import httpx

        client = httpx.Client()
        return lambda body, headers: client.post(url, content=body, headers=headers).status_code
    except ImportError:
        sys.exit(f"python3-{client_name} is missing")


def iso(ms: int) -> str:
    """Returns a time as ISO 8601."""
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def feature(sequence: int, uuid: str, created: int, record: dict) -> dict:
    """Returns a record as trackerd's GeoJSON."""
    position = record.get("position")
    place = position and {
        "type": "Point",
        "coordinates": [position["coordinate"]["lon"], position["coordinate"]["lat"]],
    }
    values = {
        "uuid": uuid, "sequence": sequence, "device": "bench", "kind": next(iter(record["content"])),
        "time": iso(record["time"]), "created": iso(created), "timeTrusted": record["isTimeTrusted"],
        "moving": record["isMoving"], "trip": record.get("trip"), "odometer_m": round(record["odometer"], 2),
    }  # fmt: skip
    for key, name in (("accuracy", "accuracy_m"), ("speed", "speed_mps"), ("course", "course_deg")):
        if position and key in position:
            values[name] = round(position[key], 2)
    return {"type": "Feature", "geometry": place, "properties": values}


def message(uuid: str, record: dict) -> dict:
    """Returns a record as a message of OwnTracks."""
    position = record.get("position") or {"coordinate": {"lat": 0, "lon": 0}}
    return {
        "_type": "location", "_id": uuid, "topic": "owntracks/trackerd/bench", "tid": "ch",
        "lat": position["coordinate"]["lat"], "lon": position["coordinate"]["lon"], "tst": record["time"] // 1000,
        "acc": round(position.get("accuracy", 0)), "vel": round(position.get("speed", 0) * 3.6),
        "odometer": round(record["odometer"] / 1000, 3), "motion": record["isMoving"],
    }  # fmt: skip


post = make_post()
database = sqlite3.connect(path)
database.execute("PRAGMA synchronous=NORMAL")
cursor, sent, posts, wire = 0, 0, 0, 0
began = time.monotonic()
while time.monotonic() - began < float(longest):
    rows = database.execute(
        "SELECT sequence, uuid, created_ms, body FROM record WHERE sequence > ? ORDER BY sequence LIMIT ?",
        (cursor, max(batch, commit)),
    ).fetchall()
    if not rows:
        break
    for start in range(0, len(rows), batch):
        part = [(sequence, uuid_text(uuid), created, record_of(body)) for sequence, uuid, created, body in rows[start : start + batch]]
        if form == "geojson":
            value = {"type": "FeatureCollection", "schemaVersion": 1, "features": [feature(*row) for row in part]}
            body = gzip.compress(json.dumps(value, separators=(",", ":")).encode())
            headers = {"Content-Type": "application/geo+json", "Content-Encoding": "gzip"}
        else:
            body, headers = json.dumps(message(part[0][1], part[0][3])).encode(), {"Content-Type": "application/json"}
        if post(body, headers) != 200:
            sys.exit("the server refuses the records")
        wire += len(body)
        sent += len(part)
    cursor = rows[-1][0]
    database.execute("INSERT OR REPLACE INTO delivery (target, cursor) VALUES ('python', ?)", (cursor,))
    database.commit()
seconds = time.monotonic() - began
times = os.times()
usage = resource.getrusage(resource.RUSAGE_SELF)
cpu_us = (times.user + times.system) * 1e6 / max(1, sent)
print(
    f"{sent:>13}{seconds:>13.2f}{sent / seconds:>13.0f}{cpu_us:>13.1f}{usage.ru_oublock * 512 / max(1, sent):>13.0f}"
    f"{usage.ru_maxrss / 1024:>13.1f}"
)
