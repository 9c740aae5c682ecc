"""Summarises the output of `swift test`: how many tests passed, failed and were skipped, which and why.

Usage: test_summary.py LOG...  Exit status 1 if a test failed or a run did not end; it then names the tests that had begun.
"""

import re
import sys
from collections import defaultdict
from pathlib import Path

ENDED = re.compile(r"^\S+ Test (?!run with |case )(?P<name>.+?) (?P<how>passed|failed) after ")
STARTED = re.compile(r"^\S+ Test (?!run |case )(?P<name>.+?) started\.$")
CASES = re.compile(r" with \d+ test cases?$")
SKIPPED = re.compile(r"^\S+ Test (?P<name>.+?) skipped(?:: \"(?P<reason>.*)\"|\.)$")
ISSUE = re.compile(r"^\S+ Test .+? recorded an issue(?: with .+?)?(?: at (?=\S+:\d+:\d+))(?P<what>.+)$")
# The text that a test adds to an issue; the first lines of a run have the same mark.
COMMENT = re.compile(r"^\S*↳ (?P<what>(?!Testing Library Version: |Target Platform: ).+)$")
RUN_ENDED = re.compile(r"^\S+ Test run with (?P<count>\d+) tests?\b.* (?:passed|failed) after ")

# The number of characters that are printed of a failure; the log has all of them.
LONGEST = 600
# The largest number of unfinished tests that are named if a run did not end.
MOST_RUNNING = 10


def summary(logs: list[list[str]]) -> tuple[list[str], bool]:
    """Returns the lines to print about these runs together, and whether no test failed and all runs ended."""
    names: dict[str, list[str]] = {"passed": [], "failed": []}
    skipped: dict[str, list[str]] = defaultdict(list)
    issues: list[str] = []
    running: dict[str, None] = {}
    complete, total = 0, 0
    for line in (line for log in logs for line in log):
        if match := ENDED.match(line):
            names[match["how"]].append(match["name"])
            running.pop(CASES.sub("", match["name"]), None)
        elif match := STARTED.match(line):
            running[match["name"]] = None
        elif match := ISSUE.match(line):
            issues.append(match["what"])
        elif match := COMMENT.match(line):
            issues.append(match["what"])
        elif match := SKIPPED.match(line):
            skipped[match["reason"] or "no reason given"].append(match["name"])
        elif match := RUN_ENDED.match(line):
            complete += 1
            total += int(match["count"])

    count = sum(len(tests) for tests in skipped.values())
    is_complete = complete == len(logs)
    # A pipe may lose lines, but the runner reports the number of tests.
    passed = total - count - len(names["failed"]) if is_complete else len(names["passed"])
    printed = [f"{passed} passed, {len(names['failed'])} failed, {count} skipped"]
    printed += [f"  skipped ({reason}): {', '.join(tests)}" for reason, tests in skipped.items()]
    printed += [f"  failed: {name}" for name in names["failed"]]
    printed += [f"    {issue[:LONGEST]}" for issue in issues]
    if not is_complete:
        printed.append("  a run did not end: a test crashed it or hung, or nothing was built")
        printed += [f"  not ended: {name}" for name in list(running)[:MOST_RUNNING]]
    return printed, is_complete and not names["failed"]


def main() -> int:
    """Prints the summary; returns the exit status."""
    printed, well = summary([Path(path).read_text(encoding="utf-8").splitlines() for path in sys.argv[1:]])
    print("\n".join(printed))
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
