"""Rebuilds the features of the format `geojson` from a batch of the format `columns`; docs/formats.md describes both.

Usage: columns.py < BODY
Prints the FeatureCollection. The body may be compressed with gzip. A server imports this file, and calls `features`.
"""

import gzip
import json
import sys
from datetime import datetime, timedelta, timezone

VERSION = 1
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


def batch(body: bytes) -> dict:
    """Returns the batch in the body of a request."""
    found = json.loads(gzip.decompress(body) if body.startswith(b"\x1f\x8b") else body)
    if found["version"] != VERSION:
        raise ValueError(f"version {found['version']} of the format `columns` is unknown")
    return found


def features(batch: dict) -> list[dict]:
    """Returns the features of a batch, in the order in which the tracker recorded them."""
    steady = [run["properties"] for run in batch["runs"] for _ in range(run["count"])]
    rows = numbers(batch["columns"], len(steady))
    rests = [batch["uuid"][19 * index :][:19] for index in range(len(steady))]
    found = [feature(*row, device=batch["device"]) for row in zip(rows, rests, steady)]
    for whole in batch.get("whole", []):
        found.insert(whole["index"], whole["feature"])
    return found


def numbers(columns: dict, count: int) -> list[dict]:
    """Returns the numbers of each row: the sum of all differences up to the row, divided by the key of the group."""
    rows: list[dict] = [{} for _ in range(count)]
    for divisor, group in columns.items():
        for name, differences in group.items():
            total = 0
            for row, difference in zip(rows, differences):
                if difference is not None:  # None: the value is unknown in this row
                    total += difference
                    row[name] = total if divisor == "1" else total / int(divisor)
    return rows


def feature(row: dict, rest: str, steady: dict, device: str) -> dict:
    """Returns the feature of a row; the numbers that are no properties are removed from the row."""
    time = row.pop("time_ms")
    created = time + row.pop("created_ms")
    coordinates = [row.pop("lon"), row.pop("lat")]
    if "height_m" in row:
        coordinates.append(row.pop("height_m"))
    if "geoid_m" in row:
        row["altitude_msl_m"] = round(coordinates[2] - row.pop("geoid_m"), 2)
    digits = f"{created + row.pop('uuid_ms', 0):012x}7{rest}"
    uuid = "-".join([digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]])
    properties = {**steady, **row, "uuid": uuid, "device": device, "time": iso(time)}
    if not 0 <= created - time < 2000:
        properties["created"] = iso(created)
    return {"type": "Feature", "geometry": {"type": "Point", "coordinates": coordinates}, "properties": properties}


def iso(time_ms: int) -> str:
    """Returns a time as ISO 8601."""
    return (EPOCH + timedelta(milliseconds=time_ms)).isoformat(timespec="milliseconds").replace("+00:00", "Z")


if __name__ == "__main__":
    collection = {"type": "FeatureCollection", "schemaVersion": 1, "features": features(batch(sys.stdin.buffer.read()))}
    print(json.dumps(collection))
