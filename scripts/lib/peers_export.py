"""Exports a drive, and reads the files with programs that others wrote: gpxpy (GPX), fastkml with the schemas of OGC and Google
(KML), jsonschema and geojson (GeoJSON), and Python's csv. All four files must contain the same points.

scripts/peers runs this.
"""
# pip: gpxpy==1.6.2 fastkml==1.1.0 lxml==5.3.0 geojson==3.1.0 jsonschema==4.23.0

import csv
import io
import json
import pathlib
import sqlite3
import subprocess
import sys
import tempfile

import fastkml
import fastkml.validator
import geojson
import gpxpy
import jsonschema

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ROOT / ".build/debug/trackerd"


def main() -> int:
    """Returns 0 if every reader accepts its file, and all files agree."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        config = folder / "config.yaml"
        rules = "tracking: {distanceFilter: 5, turnFilter: 0}"
        text = f"device: van & <1>\nstore: {{path: {folder}/t.sqlite}}\ncontrol: {{socket: {folder}/c}}\n{rules}\n"
        config.write_text(text, encoding="ascii")
        drives = [ROOT / "demo/drive/sample_trip.csv.gz"] * 2
        command = [PROGRAM, "run", "--board", "sim", "--speed", "200", "--exit-at-end", "--config", config]
        command += [word for drive in drives for word in ("--drive", drive)]
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL, timeout=120)
        files = {form: export(form, config) for form in ("gpx", "kml", "csv", "geojson")}
        with sqlite3.connect(folder / "t.sqlite") as database:
            count = database.execute("SELECT COUNT(*) FROM record").fetchone()[0]
    return compare(files, count)


def export(form: str, config: pathlib.Path) -> str:
    """Returns the text of a file."""
    command = [PROGRAM, "export", "--format", form, "--config", config]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout


def compare(files: dict[str, str], count: int) -> int:
    """Reads each file, and compares their points."""
    gpx = gpxpy.parse(files["gpx"], version="1.1")
    points = [point for track in gpx.tracks for segment in track.segments for point in segment.points]
    assert len(gpx.tracks) == 2 and all(point.time for point in points), "gpxpy does not find two trips with times"
    assert gpx.tracks[0].name == "van & <1>, trip 1" and gpx.length_2d() > 500, gpx.tracks[0].name
    assert any(point.speed or point.extensions for point in points), "gpxpy finds no speed"

    with tempfile.NamedTemporaryFile("w", suffix=".kml", encoding="utf-8") as file:
        file.write(files["kml"])
        file.flush()
        assert fastkml.validator.validate(file_to_validate=pathlib.Path(file.name)), "the file does not match the schemas of KML"
    kml = fastkml.KML.from_string(files["kml"].partition("\n")[2])
    tracks = [track for placemark in kml.features[0].features for track in placemark.kml_geometry.tracks]
    placed = [item for track in tracks for item in track.track_items]
    assert [(round(item.coord.y, 7), round(item.coord.x, 7)) for item in placed] == [
        (point.latitude, point.longitude) for point in points
    ], "the points of KML and GPX differ"

    collection = geojson.loads(files["geojson"])
    assert collection.is_valid, collection.errors()
    schema = json.loads((ROOT / "docs/geojson.schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(json.loads(files["geojson"]), schema)
    rows = list(csv.DictReader(io.StringIO(files["csv"])))
    assert len(rows) == len(collection.features) == count, (len(rows), len(collection.features), count)
    uuids = [feature.properties["uuid"] for feature in collection.features]
    assert [row["uuid"] for row in rows] == uuids, "the records of CSV and GeoJSON differ"
    print(f"export: {len(points)} points in {len(gpx.tracks)} trips as GPX and KML, {count} records as CSV and GeoJSON")
    return 0


if __name__ == "__main__":
    sys.exit(main())
