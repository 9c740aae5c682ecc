"""Changes the sources in small ways, one at a time, and counts how many of the changes make a test fail.

Usage: mutate.py COUNT SEED pure|store  Run scripts/mutate instead, which finds Swift.

All chosen changes are built once, into a copy of the tree in .build/mutate; the environment variable `MUT` selects one.
Exit status 1 when the score is below the limit, 2 when the tests are not green without a change or the copy cannot be built.
"""

import os
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import tomllib
from pathlib import Path

import mutants
from mutants import Place

ROOT = Path.cwd()
COPY = ROOT / ".build/mutate"
ACCEPTED = ROOT / "scripts/lib/accepted_mutants.toml"

# Percent of the mutants that a test must notice.
LIMIT = 88

# The mutated folders, which decide and do no input or output: rules and formats; an empty tuple means all folders.
PURE: dict[str, tuple[str, ...]] = {
    "Quantities": (), "Calendar": (), "TrackingOptions": (), "Compatibility": (), "StopDetection": (), "Motion": (), "Tracking": (),
    "Formats": (), "Delivery": (),
}
# The mutated folders with the option --store.
STORE: dict[str, tuple[str, ...]] = {"Store": ()}

# Other tests that may notice a mutant after the target's own tests have passed, the quickest first. EndToEndTests are not
# in this list because their programs take a minute, and LabTests because they need the lab. Of StoreTests, only the random
# lives of a queue are in this list: all of these tests take minutes, and without them the score can only be lower.
OTHERS = {
    "QuantitiesTests": "QuantitiesTests", "CalendarTests": "CalendarTests", "TrackingOptionsTests": "TrackingOptionsTests",
    "CompatibilityTests": "CompatibilityTests", "DocumentsTests": "DocumentsTests", "MotionTests": "MotionTests",
    "StoreTests": "StoreTests.QueueLifeTests", "TrackerDaemonTests": "TrackerDaemonTests", "TrackingTests": "TrackingTests",
    "Scenarios": "Scenarios"}

WITHOUT_NETWORK = "UploadTests.(?!Access|RealBroker|BrokerLimit|TLS|HTTP|MQTT|UploadLoop|TargetProbe|HomeAssistantBroker|Traffic|Network)"

# The tests of a target that notice most mutants in seconds; other tests of UploadTests wait for brokers and servers.
QUICK = {
    "Tracking": "TrackingTests.JournalTests|Scenarios.Journals",
    "Store": "StoreTests.QueueLifeTests",
    "Formats": WITHOUT_NETWORK, "Delivery": WITHOUT_NETWORK,
}

# The largest number of builds; each leaves out the mutants that do not compile.
BUILDS = 4


def copy_tree() -> None:
    """Updates the copy. Unchanged files keep their date, so the build is short."""
    left_out = {".git", ".build", ".swiftpm", "demo-out"}
    wanted: set[Path] = set()
    for folder, names, files in os.walk(ROOT):
        names[:] = [name for name in names if name not in left_out and not name.startswith(".build-")]
        for name in files:
            path = Path(folder, name).relative_to(ROOT)
            wanted.add(path)
            put(COPY / path, (ROOT / path).read_bytes())
            shutil.copymode(ROOT / path, COPY / path)
    for folder, names, files in os.walk(COPY):
        names[:] = [name for name in names if name not in left_out]
        for name in files:
            if Path(folder, name).relative_to(COPY) not in wanted:
                Path(folder, name).unlink()
    # With this, SwiftPM does not fetch the packages again.
    for name in ("checkouts", "repositories", "workspace-state.json"):
        source, goal = ROOT / ".build" / name, COPY / ".build" / name
        if source.is_dir() and not goal.exists():
            shutil.copytree(source, goal, symlinks=True)


def put(path: Path, content: bytes) -> None:
    """Writes a file unless it already has this content."""
    if not path.is_file() or path.read_bytes() != content:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def all_places(targets: dict[str, tuple[str, ...]]) -> dict[str, list[Place]]:
    """Returns the places of each target."""
    found: dict[str, list[Place]] = {}
    for target, folders in targets.items():
        base = Path("Sources", target)
        roots = [base / folder for folder in folders] or [base]
        paths = sorted(path for root in roots for path in root.rglob("*.swift"))
        found[target] = [
            place for path in paths
            for place in mutants.Finder(str(path), path.read_text(encoding="utf-8")).places()]
    return {target: places for target, places in found.items() if places}


def accepted() -> set[str]:
    """Returns the names of harmless mutants; prints the listed mutants that no longer exist."""
    listed = {f"{row['change']} | {row['line']}" for row in tomllib.loads(ACCEPTED.read_text(encoding="utf-8"))["accepted"]}
    present = {place.name for found in all_places(PURE | STORE).values() for place in found}
    for name in sorted(listed - present):
        print(f"remark: {ACCEPTED.name} lists a line that does not exist: {name}")
    return listed


class Draw:
    """Draws places at random: each kind by its weight, at most two per file and one per line."""

    def __init__(self, places: dict[str, list[Place]], left_out: set[str], seed: int) -> None:
        chance = random.Random(seed)
        self.pool: dict[str, list[tuple[str, Place]]] = {kind: [] for kind in sorted(mutants.WEIGHTS)}
        for target, found in places.items():
            for place in found:
                if place.name not in left_out:
                    self.pool[place.kind].append((target, place))
        for kind in self.pool:
            chance.shuffle(self.pool[kind])
        self.turns = [kind for kind, weight in sorted(mutants.WEIGHTS.items()) for _ in range(weight)]
        chance.shuffle(self.turns)
        self.turn = 0
        self.lines: set[tuple[str, int]] = set()
        self.files: dict[str, int] = {}

    def next(self) -> tuple[str, Place] | None:
        """Returns the next target and place, or None if all are drawn."""
        while any(self.pool.values()):
            kind = self.turns[self.turn % len(self.turns)]
            self.turn += 1
            while self.pool[kind]:
                target, place = self.pool[kind].pop()
                if (place.path, place.line) not in self.lines and self.files.get(place.path, 0) < 2:
                    self.lines.add((place.path, place.line))
                    self.files[place.path] = self.files.get(place.path, 0) + 1
                    return target, place
        return None


Chosen = dict[int, tuple[str, Place]]


def write(chosen: Chosen) -> None:
    """Writes the mutants into the copy."""
    for target in sorted({target for target, _ in chosen.values()}):
        mine = {number: place for number, (owner, place) in chosen.items() if owner == target}
        declarations = "".join(mutants.declaration(number, place, target) for number, place in mine.items())
        head = ["import Glibc"]
        if "StatementArguments" in declarations:
            head.append("package import GRDB")
        if target != "Quantities" and "Instant" in declarations:
            head.append("package import Quantities")
        head += [
            'private let activeMutant: Int32 = getenv("MUT").map { atoi($0) } ?? 0',
            "package func mutantIsOn(_ number: Int32) -> Bool { activeMutant == number }", declarations]
        put(COPY / "Sources" / target / "Mutants.swift", "\n".join(head).encode())
    lines: dict[str, list[str]] = {}
    for number, (_, place) in chosen.items():
        text = lines.setdefault(place.path, Path(place.path).read_text(encoding="utf-8").split("\n"))
        text[place.line - 1] = place.rewrite(number)
    for path, text in lines.items():
        put(COPY / path, "\n".join(text).encode())


def faulty(output: str, chosen: Chosen) -> set[int]:
    """Returns the numbers of the mutants that the compiler rejects."""
    numbers: set[int] = set()
    for path, line in set(re.findall(r"^\S*?/\.build/mutate/(Sources/\S+?):(\d+):\d+: error:", output, re.MULTILINE)):
        text = (COPY / path).read_text(encoding="utf-8").split("\n")[int(line) - 1]
        numbers |= {int(number) for number in re.findall(r"mutantIsOn\((\d+)\)", text)}
        numbers |= {number for number in chosen if mutants.symbol(number) in text}
        # A mutant that returns at once needs two lines, which moves the lines below it.
        mine = {number for number, (_, place) in chosen.items() if place.path == path}
        near = {number for number in mine if 0 <= int(line) - chosen[number][1].line <= 2}
        # A constant without a value is reported where it is used, far from the assignment that a mutant leaves out.
        numbers |= near or (mine - numbers if not mine & numbers else set())
    return numbers


def build(draw: Draw, count: int) -> Chosen:
    """Draws mutants and builds them; replaces the mutants that do not compile."""
    chosen: Chosen = {}
    number = 0
    for _ in range(BUILDS):
        while len(chosen) < count and (drawn := draw.next()):
            number += 1
            chosen[number] = drawn
        copy_tree()
        write(chosen)
        result = subprocess.run(
            ["swift", "build", "--build-tests"], cwd=COPY, capture_output=True, text=True, check=False)
        if result.returncode == 0:
            return chosen
        wrong = faulty(result.stdout + result.stderr, chosen)
        if not wrong:
            break
        for refused in sorted(wrong & chosen.keys()):
            place = chosen[refused][1]
            print(f"does not compile, is replaced: {place.path}:{place.line} {place.change}", flush=True)
        chosen = {number: drawn for number, drawn in chosen.items() if number not in wrong}
    errors = [line for line in (result.stdout + result.stderr).splitlines() if "error:" in line]
    print("\n".join(errors[:20]), file=sys.stderr)
    sys.exit(2)


class Suites:
    """Runs the tests, and stores how long they take without a mutant."""

    def __init__(self) -> None:
        folder = subprocess.run(
            ["swift", "build", "--show-bin-path"], cwd=COPY, capture_output=True, text=True, check=True).stdout.strip()
        self.runner = f"{folder}/trackerdPackageTests.xctest"
        self.limits: dict[str, float] = {}
        # The first failed expectation of the last run.
        self.issue = ""

    def run(self, suites: str, number: int = 0) -> str:
        """Returns `passed`, `failed` or `hung`; `suites` is the start of the names, as a regular expression."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith("TRACKERD_")}
        command = [self.runner, "--testing-library", "swift-testing", "--filter", rf"^({suites})"]
        process = subprocess.Popen(
            command, cwd=COPY, env=environment | {"MUT": str(number)}, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, start_new_session=True)
        # The first failed expectation decides; the other tests of the suites need not run.
        failed = threading.Event()
        reader = threading.Thread(target=self.read, args=(process, failed), daemon=True)
        reader.start()
        end = time.monotonic() + self.limits.get(suites, 300)
        try:
            while process.poll() is None and not failed.is_set():
                if time.monotonic() > end:
                    return "hung"
                failed.wait(0.05)
            return "failed" if failed.is_set() or process.returncode else "passed"
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
            reader.join(5)

    def read(self, process: subprocess.Popen[bytes], failed: threading.Event) -> None:
        """Reads the output of the tests until its end, and notes the first failed expectation."""
        for line in process.stdout or ():
            if b" recorded an issue " in line and not failed.is_set():
                self.issue = line.decode(errors="replace").strip()
                failed.set()

    def measure(self, suites: str) -> None:
        """Runs the tests without a mutant. They must pass, and may take three times as long with a mutant."""
        if suites in self.limits:
            return
        start = time.monotonic()
        verdict = self.run(suites)
        if verdict != "passed":
            print(f"The tests of {suites} {verdict} without a mutant: {self.issue}. Run scripts/test first.", file=sys.stderr)
            sys.exit(2)
        self.limits[suites] = 3 * (time.monotonic() - start) + 30


def stages(target: str) -> list[str]:
    """Returns the tests to run for a mutant of a target, until one fails: quick ones, then its own tests, then the others."""
    own = {
        "Tracking": ["TrackingTests", "Scenarios"], "StopDetection": ["TrackingTests"], "Formats": ["UploadTests"],
        "Delivery": ["UploadTests"]}.get(target, [f"{target}Tests"])
    own = [name for name in own if Path("Tests", name).is_dir()]
    rest = [suites for name, suites in OTHERS.items() if name not in own and Path("Tests", name).is_dir()]
    return [QUICK.get(target, "")] * (target in QUICK) + own + ["|".join(rest)]


def main() -> int:
    """Draws, builds, runs and prints; returns the exit status."""
    count, seed = int(sys.argv[1]), int(sys.argv[2])
    places = all_places(STORE if sys.argv[3] == "store" else PURE)
    left_out = accepted()
    total = sum(len(found) for found in places.values())
    print(f"{total} places in {', '.join(places)}; {count} are drawn with seed {seed}", flush=True)
    chosen = build(Draw(places, left_out, seed), count)
    suites = Suites()
    survivors: list[str] = []
    for done, (number, (target, place)) in enumerate(chosen.items(), 1):
        verdict = "passed"
        for stage in stages(target):
            suites.measure(stage)
            verdict = suites.run(stage, number)
            if verdict != "passed":
                break
        mark = {"passed": "SURVIVED", "failed": "killed", "hung": "killed (hung)"}[verdict]
        print(f"{done}/{len(chosen)} {place.path}:{place.line} {place.change}: {mark}", flush=True)
        if verdict == "passed":
            survivors.append(f"  {place.path}:{place.line} {place.change}\n      {place.text}")
    score = 100 * (len(chosen) - len(survivors)) / max(1, len(chosen))
    print(f"mutate: {len(chosen) - len(survivors)} of {len(chosen)} killed, {score:.0f} % (at least {LIMIT} %)")
    if survivors:
        print("Survivors; test them, or list them in scripts/lib/accepted_mutants.toml with a reason:")
        print("\n".join(survivors))
    return 0 if score >= LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
