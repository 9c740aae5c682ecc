"""Measures files and functions against the house style: prints the figures and the files at both ends.

Usage: sizes.py FOLDER...  Exit status 1 if a file is too long. The rest are only remarks: long functions, since a switch
over all states may be longer; short files, since a row of a catalogue is short; a low median, which shows too many small files.
"""

import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from statistics import median

FILE_LIMIT = 400
TEST_FILE_LIMIT = 500
FUNCTION_LIMIT = 40
SHORT_FILE = 40
SMALLEST_MEDIAN = 70
# Each file in these folders is a row of a catalogue, and may be short.
CATALOGUES = {"Chips", "Formats", "Transports", "Checks", "Requests", "Compatibility"}

FUNCTION = re.compile(r"^(?P<indent> *)(?:[@\w()]+ )*(?:func (?P<name>[^\s(<]+)|(?P<init>init|deinit)\b)")


def functions(lines: list[str]) -> Iterator[tuple[str, int, int]]:
    """Yields name, first line and length of each function; formatted code closes a function at the indent of its start."""
    for first, line in enumerate(lines):
        match = FUNCTION.match(line)
        if not match:
            continue
        end = match["indent"] + "}"
        for last in range(first, len(lines)):
            text = lines[last]
            if last == first and text.endswith("}") or text == end:
                yield match["name"] or match["init"], first + 1, last - first + 1
                break
            if last > first and text and not text.startswith(match["indent"]):
                break  # A requirement of a protocol: it has no body.


def figures(what: str, sizes: list[int]) -> str:
    """Returns one line about the sizes of files."""
    share = 100 * sum(size < SHORT_FILE for size in sizes) / len(sizes)
    return f"{len(sizes)} {what}: median {median(sizes):.0f} lines, {share:.0f} % below {SHORT_FILE}, longest {max(sizes)}"


def main() -> int:
    """Prints the figures; returns the exit status."""
    paths = sorted(path for folder in sys.argv[1:] for path in Path(folder).rglob("*.swift"))
    too_long, remarks = [], []
    file_sizes, function_sizes, source_sizes = [], [], []
    short: dict[Path, list[str]] = defaultdict(list)
    for path in paths:
        lines = path.read_text(encoding="utf-8").splitlines()
        limit = TEST_FILE_LIMIT if path.parts[0] == "Tests" else FILE_LIMIT
        file_sizes.append(len(lines))
        if path.parts[0] == "Sources":
            source_sizes.append(len(lines))
        if len(lines) < SHORT_FILE and path.parent.name not in CATALOGUES and "Fixtures" not in path.parts:
            short[path.parent].append(f"{path.stem} {len(lines)}")
        if len(lines) > limit:
            too_long.append(f"{path}: {len(lines)} lines, {limit} are allowed. Split it.")
        for name, first, length in functions(lines):
            function_sizes.append(length)
            if length > FUNCTION_LIMIT:
                remarks.append(f"  remark: {path}:{first}: {name} has {length} lines")
    if file_sizes:
        print(figures("files", file_sizes))
    if source_sizes and source_sizes != file_sizes:
        print(figures("of them in Sources", source_sizes))
    if source_sizes and median(source_sizes) < SMALLEST_MEDIAN:
        remarks.append(f"  remark: the median of Sources is below {SMALLEST_MEDIAN} lines: combine files that are read together")
    for folder, names in sorted(short.items()):
        remarks.append(f"  remark: {folder}: below {SHORT_FILE} lines: {', '.join(names)}")
    if function_sizes:
        count = len(function_sizes)
        print(f"{count} functions: median {median(function_sizes):.0f} lines, longest {max(function_sizes)}")
    print("\n".join(remarks + too_long), end="\n" if remarks or too_long else "")
    return 1 if too_long else 0


if __name__ == "__main__":
    sys.exit(main())
