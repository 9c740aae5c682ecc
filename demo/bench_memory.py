"""Measures the memory of the service in a drive, by mapping.

Usage: bench_memory.py --trackerd PROGRAM [--trackerd PROGRAM ...]

Plays the recording at ten times its pace, with a server that receives the records. The programs run one after the other,
because two programs would share the pages of the libraries.
"""

import time
from contextlib import ExitStack
from pathlib import Path

import bench
from processes import Program
from receiver import Receiver

#: When the memory is measured, in seconds after the start: before the first release of pages (after 6 s here), and later.
MOMENTS_S = (5, 30, 60)
#: The number of mapped files in the report.
MOST_FILES = 8


def main() -> None:
    """Measures the programs."""
    for program in bench.arguments(__doc__, "append").parse_args().trackerd:
        with ExitStack() as stack:
            measure(stack, program.resolve())


def measure(stack: ExitStack, program: Path) -> None:
    """Drives with one program, and prints its memory at each moment."""
    scratch = bench.folder(stack)
    receiver = Receiver(scratch)
    stack.callback(receiver.stop)
    url = f"http://127.0.0.1:{receiver.port}/geojson"
    bench.configure(scratch, f'targets: [{{name: home, url: "{url}", format: geojson}}]')
    command = [str(program), "run", "--allow-root", *bench.DRIVE, "--speed", "10"]
    service = bench.start_trackerd(stack, scratch, command)
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
    bench.end(main)
