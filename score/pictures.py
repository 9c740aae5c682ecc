"""Pictures of the worst cases: the track in metres, and the drive over time, truth beside verdict."""

from collections.abc import Iterable, Mapping
from pathlib import Path

import svg
from figures import Case, Row
from playback import Record, Run
from recording import Fix
from svg import BLUE, GREEN, ORANGE, RED, VIOLET, Axes

WIDTH = 1180.0
MAP_HEIGHT, CHART_HEIGHT, STRIP_HEIGHT = 460.0, 190.0, 20.0
LEFT, RIGHT, TOP = 96.0, 24.0, 100.0
#: So much of a drive is shown before and after a case, on the map less; a figure about the whole drive is drawn whole.
BEFORE_S, AFTER_S = 120.0, 240.0
MAP_BEFORE_S, MAP_AFTER_S = 30.0, 200.0
#: Worst cases drawn of each figure.
CASES = 2
#: What the detector calls active and still; the lines to read the accelerometer's chart by (Sources/Motion).
LIVELY_MPS2, QUIET_MPS2 = 0.20, 0.12
TRUTH_COLOURS = "truth: green moves, grey stands, yellow unknown; below, blue dots are records, red ones refused fixes"


def draw_all(rows: Iterable[Row], runs: Mapping[str, Run], short: Mapping[str, Run], out: Path) -> None:
    """Draws the worst cases of each row, and whole the drives that have no truth."""
    for old in out.glob("*.svg"):
        old.unlink()
    for row in rows:
        source = short if row.key.endswith("-short") else runs
        drawn: set[str] = set()
        for case in sorted(row.cases, key=lambda case: -case.value):
            if case.drive not in drawn and len(drawn) < CASES:
                drawn.add(case.drive)
                title = f"{row.figure}: {case.value:.2f}"
                write(out / f"{row.key}-{len(drawn)}-{case.drive}.svg", source[case.drive], title, case)
    for run in runs.values():
        if not run.drive.segments:
            write(out / f"drive-{run.drive.name}.svg", run, "no truth", None)


def write(path: Path, run: Run, title: str, case: Case | None) -> None:
    """Draws one case."""
    begin, end = window(run, case)
    parts = [
        svg.text(LEFT, 34, run.drive.name, size=20, weight=600),
        svg.text(LEFT, 58, title.replace("`", ""), size=13),
    ]
    if case and case.note:
        parts.append(svg.text(LEFT, 78, case.note.replace("`", ""), size=12, colour=svg.FAINT))
    y = TOP
    if run.drive.fixes:
        parts += track(run, begin, end, case, y)
        y += MAP_HEIGHT + 78
    parts += strips(run, begin, end, y)
    y += 3 * (STRIP_HEIGHT + 8) + 14
    if run.drive.fixes:
        parts += speeds(run, begin, end, case, y, is_last=not run.drive.windows)
        y += CHART_HEIGHT + (24 if run.drive.windows else 60)
    if run.drive.windows:
        parts += vibration(run, begin, end, case, y)
        y += CHART_HEIGHT + 60
    path.write_text(svg.picture(WIDTH, y, run.drive.name, parts), encoding="utf-8")


def window(run: Run, case: Case | None) -> tuple[float, float]:
    """The stretch of the drive that is shown."""
    if case is None or case.t == 0:
        return 0.0, max(run.drive.seconds, 1.0)
    return max(0.0, case.t - BEFORE_S), min(run.drive.seconds, case.t + AFTER_S)


def track(run: Run, begin: float, end: float, case: Case | None, top: float) -> list[str]:
    """The map: fixes as they came, what was kept, where it stopped."""
    if case and case.t:
        begin, end = max(begin, case.t - MAP_BEFORE_S), min(end, case.t + MAP_AFTER_S)
    fixes = run.drive.between(begin, end + 1) or run.drive.fixes
    axes = _map_axes(fixes, top)
    records = [r for r in run.records if begin <= r.t <= end and r.at]
    stops = [s.record for s in run.stationary if s.record and s.record.at and begin <= s.record.t <= end]
    parts = axes.frame("metres to the east", "metres to the north")
    clip = f"map{int(top)}"
    area = f'<rect x="{axes.left}" y="{axes.top}" width="{axes.width}" height="{axes.height}"/>'
    parts.append(f'<clipPath id="{clip}">{area}</clipPath><g clip-path="url(#{clip})">')
    parts.append(axes.line([f.at for f in fixes], "#9aa1a8", width=1))
    parts.append(axes.dots((f.at for f in fixes), "#9aa1a8", 1.6))
    parts.append(axes.line(_places(records), BLUE, width=1.6))
    parts.append(axes.dots(_places(records), BLUE, 2.8))
    parts.append(axes.dots(_places(stops), RED, 8, hollow=True))
    if case and case.t:
        near = min(fixes, key=lambda f: abs(f.t - case.t))
        parts.append(axes.dots([near.at], ORANGE, 6, hollow=True))
    parts.append("</g>")
    marks = [("line", "#9aa1a8", "fixes"), ("dot", BLUE, "records"), ("ring", RED, "stop as recorded")]
    marks += [("ring", ORANGE, f"{case.t:.0f} s")] if case and case.t else []
    return parts + svg.legend(LEFT + 250, top + MAP_HEIGHT + 50, marks)


def strips(run: Run, begin: float, end: float, top: float) -> list[str]:
    """Truth, state and receiver as bars over time."""
    truth = [(s.begin, s.end, {"move": GREEN, "stop": "#c9ccc7"}.get(s.kind, "#e8b04a")) for s in run.drive.segments]
    rows = [
        ("truth", truth),
        ("moving", [(s.begin, s.end, GREEN) for s in run.moving]),
        ("receiver", [(a, b, BLUE) for a, b in run.receiver]),
    ]
    parts = [svg.text(WIDTH - RIGHT, top - 6, TRUTH_COLOURS, size=11, colour=svg.FAINT, anchor="end")]
    for index, (name, spans) in enumerate(rows):
        axes = Axes(LEFT, top + index * (STRIP_HEIGHT + 8), WIDTH - LEFT - RIGHT, STRIP_HEIGHT, (begin, end), (0, 1))
        parts.append(svg.text(LEFT - 8, axes.top + 15, name, size=12, anchor="end"))
        ground = f'y="{axes.top}" width="{axes.width}" height="{STRIP_HEIGHT}" fill="{svg.GROUND}"'
        parts.append(f'<rect x="{LEFT}" {ground}/>')
        parts += [axes.band(first, last, colour) for first, last, colour in spans]
    return parts


def speeds(run: Run, begin: float, end: float, case: Case | None, top: float, *, is_last: bool) -> list[str]:
    """Speed over time; dots are records."""
    fixes = run.drive.between(begin, end + 1)
    known = [(f.t, f.speed) for f in fixes if f.speed is not None]
    highest = max([v for _, v in known] + [v for t, v in run.drive.wheel_speed if begin <= t <= end] + [3.0])
    axes = _time_axes(begin, end, top, highest * 1.08)
    parts = axes.frame("seconds since the drive began" if is_last else "", "speed, m/s")
    parts += [axes.band(s.begin, s.end, GREEN, 0.12) for s in run.drive.segments if s.kind == "move"]
    parts.append(axes.line([p for p in run.drive.wheel_speed if begin <= p[0] <= end], VIOLET, width=1))
    parts.append(axes.line(known, BLUE))
    parts.append(axes.dots(((r.t, 0.0) for r in run.records if begin <= r.t <= end), BLUE, 2))
    parts.append(axes.dots(((t, highest) for t, _ in run.refused if begin <= t <= end), RED, 2.5))
    return parts + _marker(axes, case)


def vibration(run: Run, begin: float, end: float, case: Case | None, top: float) -> list[str]:
    """What the accelerometer says, a window of a second each, up to what parts rest from motion."""
    shown = [(t, s) for t, s in run.drive.windows if begin <= t <= end]
    axes = _time_axes(begin, end, top, 1.0)
    parts = axes.frame("seconds since the drive began", "|a| deviation, m/s²")
    parts += [axes.band(s.begin, s.end, GREEN, 0.12) for s in run.drive.segments if s.kind == "move"]
    parts.append(axes.line([(t, min(s, 1.0)) for t, s in shown], VIOLET, width=1.2))
    for level in (LIVELY_MPS2, QUIET_MPS2):
        parts.append(axes.line([(begin, level), (end, level)], RED, width=1, dash="5 4"))
    return parts + _marker(axes, case)


def _map_axes(fixes: list[Fix], top: float) -> Axes:
    easts, norths = [f.at[0] for f in fixes], [f.at[1] for f in fixes]
    width = WIDTH - LEFT - RIGHT
    scale = max((max(easts) - min(easts)) / width, (max(norths) - min(norths)) / MAP_HEIGHT, 30 / MAP_HEIGHT) * 1.1
    east, north = (max(easts) + min(easts)) / 2, (max(norths) + min(norths)) / 2
    half, tall = width * scale / 2, MAP_HEIGHT * scale / 2
    return Axes(LEFT, top, width, MAP_HEIGHT, (east - half, east + half), (north - tall, north + tall))


def _time_axes(begin: float, end: float, top: float, highest: float) -> Axes:
    return Axes(LEFT, top, WIDTH - LEFT - RIGHT, CHART_HEIGHT, (begin, end), (0.0, highest))


def _marker(axes: Axes, case: Case | None) -> list[str]:
    return [axes.line([(case.t, axes.y[0]), (case.t, axes.y[1])], ORANGE, width=1.4)] if case and case.t else []


def _places(records: Iterable[Record]) -> list[tuple[float, float]]:
    return [record.at for record in records if record.at]
