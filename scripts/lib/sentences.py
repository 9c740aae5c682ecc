"""Draws sentences at random for a review of the language: from help and logs, from documents, and from comments.

Usage: sentences.py [--seed N] [--count N]  Prints three numbered samples, each sentence with its place; the same seed gives the same
samples. A reader then marks the sentences that need a rewrite by the rules and words of CONTRIBUTING.md: at most one in thirty.
"""

import argparse
import random
import re
from pathlib import Path

from words import texts, texts_of_code

SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z`\"*]|trackerd\b)")
#: A line where a new text begins in a document: an empty line, a row, a heading, an item, a marker.
BREAK = re.compile(r"^\s*($|\||#|- |\d+\. |<!--)")


def lines(path: Path, kind: str) -> list[tuple[int, str]]:
    """Returns the lines of one kind, each with its number; a break is an empty line."""
    content = path.read_text(encoding="utf-8")
    if kind == "documents":
        return [(number, "" if BREAK.match(line) and not line.lstrip().startswith("-") else line.strip(" -"))
                for number, line in texts(path)]
    return list(texts_of_code(content, ("comment",) if kind == "comments" else ("literal",)))


def sentences(path: Path, kind: str) -> list[tuple[str, str]]:
    """Returns the sentences of one kind in a file, each with its place; neighbouring lines form one text."""
    found, previous, start, text = [], 0, 0, ""
    for number, line in [*lines(path, kind), (10**9, "")]:
        if line and text and number == previous + 1:
            text += " " + line
        else:
            found += [(f"{path}:{start}", part) for part in SENTENCE.split(text) if len(part.split()) >= 4]
            start, text = number, line
        previous = number
    return found


def sample(kind: str, files: list[Path], seed: int, count: int) -> None:
    """Prints one sample."""
    pool = [entry for path in sorted(files) for entry in sentences(path, kind)]
    print(f"\n{kind}: {count} of {len(pool)}")
    for number, (place, text) in enumerate(random.Random(seed).sample(pool, min(count, len(pool))), 1):
        print(f"{number:>3}. {text}\n     {place}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=30)
    arguments = parser.parse_args()
    targets = ["trackerd", "TrackerDaemon", "Configuration", "Control", "Doctor"]
    shown = [file for target in targets for file in Path("Sources", target).rglob("*.swift")]
    documents = [Path("README.md"), Path("CONTRIBUTING.md"), *Path("docs").rglob("*.md")]
    code = [*Path("Sources").rglob("*.swift"), *Path("Tests").rglob("*.swift")]
    for kind, files in [("help and logs", shown), ("documents", documents), ("comments", code)]:
        sample(kind, files, arguments.seed, arguments.count)


if __name__ == "__main__":
    main()
