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
from datetime import datetime

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


def feature(row: sqlite3.Row) -> dict:
    """Returns a row of the view `records` as trackerd's GeoJSON."""
    place = row["latitude"] and {"type": "Point", "coordinates": [row["longitude"], row["latitude"]]}
    values = {
        "uuid": row["uuid"], "sequence": row["sequence"], "device": "bench", "kind": row["kind"], "time": row["time"],
        "created": row["created"], "timeTrusted": bool(row["is_time_trusted"]), "moving": bool(row["is_moving"]),
        "trip": row["trip"], "odometer_m": round(row["odometer_m"], 2),
    }  # fmt: skip
    for name in ("accuracy_m", "speed_mps", "course_deg"):
        if row[name] is not None:
            values[name] = round(row[name], 2)
    return {"type": "Feature", "geometry": place, "properties": values}


def message(row: sqlite3.Row) -> dict:
    """Returns a row of the view `records` as a message of OwnTracks."""
    return {
        "_type": "location", "_id": row["uuid"], "topic": "owntracks/trackerd/bench", "tid": "ch",
        "lat": row["latitude"] or 0, "lon": row["longitude"] or 0,
        "tst": int(datetime.fromisoformat(row["time"].replace("Z", "+00:00")).timestamp()),
        "acc": round(row["accuracy_m"] or 0), "vel": round((row["speed_mps"] or 0) * 3.6),
        "odometer": round(row["odometer_m"] / 1000, 3), "motion": bool(row["is_moving"]),
    }  # fmt: skip


post = make_post()
database = sqlite3.connect(path)
database.row_factory = sqlite3.Row
database.execute("PRAGMA synchronous=NORMAL")
cursor, sent, posts, wire = 0, 0, 0, 0
began = time.monotonic()
while time.monotonic() - began < float(longest):
    rows = database.execute(
        "SELECT * FROM records WHERE sequence > ? ORDER BY sequence LIMIT ?",
        (cursor, max(batch, commit)),
    ).fetchall()
    if not rows:
        break
    for start in range(0, len(rows), batch):
        part = rows[start : start + batch]
        if form == "geojson":
            value = {"type": "FeatureCollection", "schemaVersion": 1, "features": [feature(row) for row in part]}
            body = gzip.compress(json.dumps(value, separators=(",", ":")).encode())
            headers = {"Content-Type": "application/geo+json", "Content-Encoding": "gzip"}
        else:
            body, headers = json.dumps(message(part[0])).encode(), {"Content-Type": "application/json"}
        if post(body, headers) != 200:
            sys.exit("the server refuses the records")
        wire += len(body)
        sent += len(part)
    cursor = rows[-1]["sequence"]
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
