"""Measures the memory of the service in a drive, by mapping.

Usage: bench_memory.py --trackerd PROGRAM [--trackerd PROGRAM ...]

Plays the recording at ten times its pace, with a server that receives the records. The programs run one after the other,
because two programs would share the pages of the libraries.
"""

import argparse
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from processes import Program, start
from receiver import Receiver

RECORDING = Path(__file__).parent.parent / "Tests" / "Traces" / "2023-08-09_12-47-42.csv.gz"
CONFIGURATION = """\
device: bench
store: {{path: "{scratch}/trackerd.sqlite"}}
control: {{socket: "{scratch}/control.sock"}}
targets: [{{name: home, url: "http://127.0.0.1:{port}/geojson", format: geojson}}]
"""
#: When the memory is measured, in seconds after the start: before the first release of pages (after 6 s here), and later.
MOMENTS_S = (5, 30, 60)
#: The number of mapped files in the report.
MOST_FILES = 8


def main() -> None:
    """Measures the programs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trackerd", type=Path, required=True, action="append", help="a program to measure")
    for program in parser.parse_args().trackerd:
        with ExitStack() as stack:
            measure(stack, program.resolve())


def measure(stack: ExitStack, program: Path) -> None:
    """Drives with one program, and prints its memory at each moment."""
    scratch = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="trackerd-bench.")))
    receiver = Receiver(scratch)
    stack.callback(receiver.stop)
    config = scratch / "config.yaml"
    config.write_text(CONFIGURATION.format(scratch=scratch, port=receiver.port), encoding="utf-8")
    command = [str(program), "run", "--allow-root", "--board", "sim", "--drive", str(RECORDING), "--speed", "10"]
    service = start(stack, "trackerd", [*command, "--config", str(config)], scratch / "trackerd.log")
    began = time.monotonic()
    print(program)
    for moment_s in MOMENTS_S:
        time.sleep(max(0, began + moment_s - time.monotonic()))
        show(mappings(service), moment_s, len(receiver.features))


def mappings(service: Program) -> list[tuple[str, dict[str, int]]]:
    """Returns the name of each mapping and its sizes in KiB."""
    service.check()
    found: list[tuple[str, dict[str, int]]] = []
    for line in Path(f"/proc/{service.pid}/smaps").read_text(encoding="utf-8").splitlines():
        words = line.split()
        if not words[0].endswith(":"):
            found.append((" ".join(words[5:]).rsplit("/", 1)[-1] or "anonymous", {}))
        elif words[-1] == "kB":
            found[-1][1][words[0].rstrip(":")] = int(words[1])
    return found


def show(found: list[tuple[str, dict[str, int]]], moment_s: int, records: int) -> None:
    """Prints the sums, and the files that most of the memory maps."""
    sums = {key: sum(sizes.get(key, 0) for _, sizes in found) / 1024 for key in ("Pss", "Rss", "Private_Dirty")}
    print(
        f"  after {moment_s:3} s, {records} records delivered: PSS {sums['Pss']:.1f} MiB, RSS {sums['Rss']:.1f} MiB, "
        f"written by the program {sums['Private_Dirty']:.1f} MiB"
    )
    files: dict[str, int] = {}
    for name, sizes in found:
        files[name] = files.get(name, 0) + sizes.get("Rss", 0)
    largest = sorted(files.items(), key=lambda item: -item[1])[:MOST_FILES]
    print("    RSS: " + ", ".join(f"{name} {size / 1024:.1f}" for name, size in largest), flush=True)


if __name__ == "__main__":
    main()
