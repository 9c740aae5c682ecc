"""Finds words that CONTRIBUTING.md asks to replace, in everything that people read.

Usage: words.py [--list]  Prints how often each word occurs, and where first; with --list every place. Exit status 1 if there is any.

Searches comments, string literals and type names of Swift and C, and scripts, documents, boards and unit files. Leaves out code in
backticks, indented code in documents, and literals without a blank, which are keys or names.
"""

import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from mutants import end_of_string

# What to search for, and what to write instead.
WORDS: dict[str, str] = {
    r"mend(s|ed|ing)?\b": "correct, repair; remedy",
    r"(tell|tells|told|telling)\b": "report, record, state",
    r"(say|says|said|saying)\b": "report, state, print",
    r"nothing (when|while|if|before|until|where|as long as)\b": "`nil` if …, missing",
    r"(a|an|the|one|two|each|every|next|last|first|second|of|between|such|these|same|rarer) looks?\b": "position check",
    r"whoever\b": "name the actor, or: if you",
    r"whereabouts\b": "position",
    r"(so|that) many\b": "the number",
    r"that much\b": "the amount, the distance",
    r"for so long\b": "the duration",
    r"(go|goes|going|lie|lies|lying) over\b": "override",
    r"holds\b": "applies, is in force, contains",
    r"complain(s|ed|ing|t|ts)?\b": "fault, report",
    r"vigilan(t|ce)\b": "stuck-sensor detection",
    r"(a|the|each|every|their) stays?\b": "parked, dwell, occupancy, visit",
    r"shelf\b": "cache",
    r"(parcel|shipment|lane)s?\b": "payload, batch in flight, target worker",
    r"lively\b": "active",
    r"wish(es|ed)?\b": "request, option",
    r"(seed|five source) documents?\b": "compatibility; the product's name",
    r"news\b": "event",
}
# A relative clause in front: "Who leaves a line unfinished is dropped."
RELATIVE = re.compile(r"(?:^|[.;:] )Who (?![^.]*\?)")
RELATIVE_REMEDY = "name the actor, or: if you"

# Uses of those words that are right.
ALLOWED = re.compile(
    r"holds (the |a |its )?(line|lock|pin|reset|button|GPIO)|hold-down|2: decisions, mending, withholding|news(letter|group)|that is to say|shipment of", re.IGNORECASE)

SUFFIX = re.compile(r"\b(?:struct|enum|class|protocol|typealias|case) ([A-Z]\w+(?:Trouble|Problem|Refusal|Fault|Unavailable))\b")
SUFFIX_REMEDY = "…Error"

PATTERN = re.compile(r"(?<![\w-])(?:" + "|".join(f"(?P<w{i}>{word})" for i, word in enumerate(WORDS)) + ")", re.IGNORECASE)
REMEDIES = list(WORDS.values())

FILES = [
    "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "Makefile", "docs/**/*.md", "Lab/*", "Sources/**/*", "Tests/**/*.swift",
    "Tests/**/*.md", "Tools/**/*.swift", "scripts/**/*", ".ci/*", "boards/*", "systemd/*", "udev/*", "demo/*", "score/**/*.py",
]
# This script contains the words itself. After any change of i2c-lab.c, even in a comment, the lab builds its kernel again.
LEFT_OUT = {"scripts/lib/words.py", "Lab/i2c-lab.c"}


def texts(path: Path) -> Iterator[tuple[int, str]]:
    """Yields the texts of a file that people read: the number of a line, and its text."""
    content = path.read_text(encoding="utf-8")
    if path.suffix in (".swift", ".c", ".h"):
        yield from texts_of_code(content)
    elif path.suffix == ".md":
        is_fenced = False
        for number, line in enumerate(content.splitlines(), 1):
            is_fenced ^= line.startswith("```")
            if not is_fenced and not line.startswith("    "):
                yield number, line
    else:
        # Functions and variables of scripts may be called `say` and `tell`.
        for number, line in enumerate(content.splitlines(), 1):
            yield number, re.sub(r"\b\w+(?=[(=.\[,:)]| [\"=])", "…", line) if path.suffix in ("", ".py") else line


def texts_of_code(content: str, kinds: tuple[str, ...] = ("comment", "literal")) -> Iterator[tuple[int, str]]:
    """Yields comments and string literals, or one of these kinds, without interpolations."""
    at, number = 0, 1
    while at < len(content):
        kind, end = None, at + 1
        if content.startswith("//", at):
            kind, end = "comment", content.find("\n", at) if "\n" in content[at:] else len(content)
        elif content.startswith("/*", at):
            kind, end = "comment", content.index("*/", at) + 2
        elif content[at] == '"' or content[at] == "#" and re.match(r'#+"', content[at:at + 4]):
            kind, end = "literal", end_of_string(content, at)
        elif content[at] == "'" and re.match(r"'\\?\"'", content[at:at + 4]):
            end = content.index("'", at + 1) + 1  # A quotation mark of C.
        text = content[at:end]
        if kind in kinds and (kind == "comment" or " " in text.strip('"# ')):
            for offset, line in enumerate(re.sub(r"\\#*\([^()]*(\([^()]*\))*[^()]*\)", "…", text).split("\n")):
                yield number + offset, line.strip(' /*#"')
        number += text.count("\n")
        at = end


def finds(path: Path) -> Iterator[tuple[int, str, str]]:
    """Yields the line, the word and what to write instead."""
    for number, line in texts(path):
        line = ALLOWED.sub("…", re.sub(r"`[^`]*`", "…", line))
        for match in PATTERN.finditer(line):
            index = next(i for i in range(len(REMEDIES)) if match[f"w{i}"])
            yield number, match[0].lower(), REMEDIES[index]
        if RELATIVE.search(line.lstrip("#-*| ")):
            yield number, "Who …", RELATIVE_REMEDY
    if path.suffix == ".swift":
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if match := SUFFIX.search(line):
                yield number, match[1], SUFFIX_REMEDY


def is_text(path: Path) -> bool:
    """Returns whether people read the file."""
    if not path.is_file() or str(path) in LEFT_OUT:
        return False
    try:
        path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return False
    return path.suffix in (".swift", ".c", ".h", ".md", ".py", ".yaml", ".rules", ".service", ".conf", "")


def main() -> int:
    """Prints the findings; returns the exit status."""
    places: dict[tuple[str, str], list[str]] = defaultdict(list)
    for path in sorted({path for pattern in FILES for path in Path().glob(pattern)}):
        if is_text(path):
            for number, word, remedy in finds(path):
                places[word, remedy].append(f"{path}:{number}")
    for (word, remedy), found in sorted(places.items(), key=lambda item: -len(item[1])):
        if "--list" in sys.argv:
            print("\n".join(f"{place}: `{word}`. Write: {remedy}." for place in found))
        else:
            print(f"{len(found):5} `{word}`, write: {remedy} ({found[0]})")
    print(f"{sum(map(len, places.values()))} words to replace")
    return 1 if places else 0


if __name__ == "__main__":
    sys.exit(main())
