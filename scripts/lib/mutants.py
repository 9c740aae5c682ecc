"""Finds places in Swift sources where a small change should make a test fail, by pattern on the text.

The sources must be formatted by swift-format: statements and conditions are recognised by line and indent. A place can
write its line so that the change applies only where the environment has `MUT` set to its number; hence one build has all of them.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

# The weight of each kind in the draw.
WEIGHTS = {"compare": 5, "negate": 5, "delete": 5, "constant": 4, "return": 4, "drop": 4, "sum": 3, "logic": 2}

MODIFIERS = r"(?:package |public |private |fileprivate |internal |static |mutating |nonisolated |override |@\w+ )*"
FUNCTION = re.compile(rf"^(\s*){MODIFIERS}func ")
CONTINUATION = re.compile(r"^\s*([.?:+*/&|)\]}-]|else\b|case\b|default\b|where\b|in\b)")
KEYWORD_FIRST = re.compile(r"^(?:let |var |return |guard |if |for |case |while |switch |defer |throw )")
ASSIGNMENT = re.compile(r"^[\w.\[\]?!()$, ]+ (?:=|\+=|-=|\*=) \S.*[^{,(\[=+-]$")
CALL = re.compile(r"^(_ = )?(try )?[a-z][\w.?!\[\]]*\(.*\)$")


@dataclass
class Place:
    """A place for a mutant; lines are counted from 1."""

    path: str
    line: int
    kind: str
    change: str
    text: str
    rewrite: Callable[[int], str]
    # The operator that replaces the operator in the line, if the change replaces an operator.
    operator: str = ""
    compares_nil: bool = False

    @property
    def name(self) -> str:
        """Returns the identity of the mutant, which does not change if lines move."""
        return f"{self.change} | {self.text}"


def mask(text: str) -> str:
    """Returns the text with strings as `x` and comments as blanks, with unchanged lengths."""
    masked, at = [], 0
    while at < len(text):
        if text.startswith("//", at):
            end = text.find("\n", at) if "\n" in text[at:] else len(text)
            masked.append(" " * (end - at))
        elif text[at] == '"' or re.match(r'#+"', text[at:]):
            end = end_of_string(text, at)
            masked.append("".join(character if character == "\n" else "x" for character in text[at:end]))
        else:
            end = at + 1
            masked.append(text[at])
        at = end
    return "".join(masked)


def end_of_string(text: str, start: int) -> int:
    """Returns the end of the string literal that begins at `start`."""
    hashes = len(text[start:]) - len(text[start:].lstrip("#"))
    at = start + hashes
    quote = '"""' if text.startswith('"""', at) else '"'
    closing, escape = quote + "#" * hashes, "\\" + "#" * hashes
    at += len(quote)
    while at < len(text) and not text.startswith(closing, at):
        if text.startswith(escape + "(", at):
            at, depth = at + len(escape) + 1, 1
            while depth and at < len(text):
                if text[at] == '"':
                    at = end_of_string(text, at)
                    continue
                depth += {"(": 1, ")": -1}.get(text[at], 0)
                at += 1
        else:
            at += len(escape) + 1 if text.startswith(escape, at) else 1
    return at + len(closing)


def is_balanced(text: str) -> bool:
    """Returns whether every bracket is closed, and none is closed before it is opened."""
    depth = 0
    for character in text:
        depth += (character in "([{") - (character in ")]}")
        if depth < 0:
            return False
    return depth == 0


def parts(text: str) -> Iterator[tuple[int, int]]:
    """Returns the starts and ends of the parts between commas outside brackets."""
    depth, start = 0, 0
    for at, character in enumerate(text):
        depth += (character in "([{") - (character in ")]}")
        if character == "," and depth == 0:
            yield start, at
            start = at + 1
    yield start, len(text)


def indent(line: str) -> int:
    """Returns the number of leading blanks."""
    return len(line) - len(line.lstrip())


class Finder:
    """Finds the places in one file."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.raw = text.split("\n")
        self.lines = mask(text).split("\n")
        self.found: list[Place] = []

    def places(self) -> list[Place]:
        """Returns all places, in the order of the file."""
        depth = 0
        for at, line in enumerate(self.lines):
            begins_inside = depth > 0
            depth += sum((character in "([") - (character in ")]") for character in line)
            code = line.strip()
            if not code or code.startswith(("import", "package import", "public import", "@", "#", "extension ")):
                continue
            if code.startswith(("protocol ", "typealias ", "infix ")) or set(code) <= {"x", '"'}:
                continue
            self.operators(at, line)
            self.constants(at, line)
            self.conditions(at, line)
            self.statements(at, line, begins_inside)
            self.returns(at, line)
            self.elements(at, line)
        return self.found

    def add(self, at: int, kind: str, change: str, start: int, end: int, new: Callable[[int], str], **more) -> None:
        """Notes a place that replaces a part of its line."""
        raw = self.raw[at]
        self.found.append(
            Place(self.path, at + 1, kind, change, raw.strip(), lambda n: raw[:start] + new(n) + raw[end:], **more))

    def operators(self, at: int, line: str) -> None:
        """Adds comparisons, sums, and operators between conditions; each gets its own operator."""
        is_header = re.search(r"\b(func|init|subscript|struct|enum|class)\b", line)
        begin = (line.find("{") if "{" in line else len(line)) if is_header else 0
        swaps = {
            "compare": {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="},
            "logic": {"&&": "||", "||": "&&"},
            "sum": {"+": "-", "-": "+"},
        }
        if re.search(r"\bwhere [A-Z]", line):
            return
        for kind, swap in swaps.items():
            for match in re.finditer(r" (<=|>=|==|!=|<|>|&&|\|\||\+|-)(?= )", line):
                old = match[1]
                if old in swap and match.start() >= begin:
                    self.add(
                        at, kind, f"`{old}` → `{swap[old]}`", match.start(1), match.end(1), symbol,
                        operator=old, compares_nil=line.startswith(" nil", match.end(1)))

    def constants(self, at: int, line: str) -> None:
        """Doubles numbers; 0 becomes 1."""
        if re.match(r"\s*case \w+ = ", line):
            return
        for match in re.finditer(r"(?<![\w.#$@])(0x[0-9A-Fa-f]{1,2}|\d[\d_]*(?:\.\d+)?)(?![\w.(])", line):
            old = match[1]
            if old.startswith("0x"):
                value = int(old, 16)
                if value > 0x7F or "/Chips/" not in self.path:
                    continue
                new = f"0x{2 * value or 1:02X}"
            else:
                new = str((float if "." in old else int)(old.replace("_", "")) * 2 or 1)
            self.add(
                at, "constant", f"{old} → {new}", match.start(), match.end(),
                lambda n, old=old, new=new: f"(mutantIsOn({n}) ? {new} : {old})")

    def conditions(self, at: int, line: str) -> None:
        """Negates conditions, and results that are conditions."""

        def negate(start: int, end: int) -> None:
            old = self.raw[at][start:end]
            self.add(at, "negate", f"negates `{old}`", start, end, lambda n: f"({old}) != mutantIsOn({n})")

        whole = re.match(r"^(\s*(?:\} else )?(?:guard|if|while) )(.*?)( else \{.*| \{.*)$", line)
        head = whole or re.match(r"^(\s*(?:guard|if|while) )(.*)$", line)
        if head:
            for start, end in parts(head[2]):
                part = head[2][start:end]
                # The last part may continue in the next line.
                goes_on = not whole and end == len(head[2])
                if part.strip() and not goes_on and is_balanced(part) and not re.match(r"\s*(let|var|case|#|_)\b", part):
                    negate(head.end(1) + start + indent(part), head.end(1) + end)
        body = re.match(rf"^(\s*{MODIFIERS}(?:var \w+: Bool|func .*-> Bool) \{{ )([^{{}}]+)( \}})$", line)
        if body and not re.match(r"(return|switch|get)\b", body[2]):
            negate(body.end(1), body.end(2))

    def statements(self, at: int, line: str, begins_inside: bool) -> None:
        """Leaves out assignments and calls."""
        code = line.strip()
        before = next((text for text in reversed(self.lines[:at]) if text.strip()), "").rstrip() or "{"
        after = next((text for text in self.lines[at + 1:] if text.strip()), "")
        is_whole = not begins_inside and is_balanced(code) and re.search(r"[{}\w\)\]:?!]$", before)
        if is_whole and not before.endswith((" =", "return")) and not re.match(r"^\s*([.?+*/&|-]|: )", after):
            owner = self.owner(at)
            is_assignment = not KEYWORD_FIRST.match(code) and ASSIGNMENT.match(code)
            is_call = CALL.match(code) and not code.startswith(("self.init", "super.", "return", "switch"))
            # The last call of a function with a result may be its result.
            is_result = ("->" in owner or "var " in owner) and after.strip().startswith(("}", "case", "default"))
            if owner and not re.search(r"\binit[?(<]", owner) and (is_assignment or is_call and not is_result):
                old = self.raw[at].strip()
                self.add(
                    at, "delete", f"leaves out `{old}`", indent(self.raw[at]), len(self.raw[at]),
                    lambda n: f"if !mutantIsOn({n}) {{ {old} }}")
        short = re.match(rf"^(\s*(?:if .*|{MODIFIERS}mutating func [^>]*) \{{ )([^{{}}]+)( \}})$", line)
        if short and not re.match(r"(return|throw|break|continue)\b", short[2]) and (
                re.search(r" (=|\+=|-=) ", short[2]) or re.match(r"[a-z][\w.?!]*\(", short[2])):
            body = self.raw[at][short.end(1):short.end(2)]
            self.add(
                at, "delete", f"leaves out `{body}`", short.end(1), short.end(2),
                lambda n: f"if !mutantIsOn({n}) {{ {body} }}")

    def owner(self, at: int) -> str:
        """Returns the header of the function or property around a line, or an empty text if there is none."""
        limit = indent(self.lines[at])
        for above in range(at - 1, -1, -1):
            line = self.lines[above]
            if not line.strip() or indent(line) >= limit:
                continue
            if re.search(r"\b(func|init|deinit|subscript)\b\s*[\w<(?]", line) or re.match(rf"\s*{MODIFIERS}var ", line):
                return line
            if re.match(r"\s*\)\s*.*\{$", line):
                return self.first_line(above) + line
            limit = indent(line)
        return ""

    def first_line(self, at: int) -> str:
        """Returns the line that begins the block that ends in the line `at`."""
        for above in range(at - 1, -1, -1):
            if self.lines[above].strip() and indent(self.lines[above]) == indent(self.lines[at]):
                return self.lines[above]
        return ""

    def returns(self, at: int, line: str) -> None:
        """Makes functions return at once, with an empty result."""
        short = re.match(rf"^(\s*{MODIFIERS}func .*-> (\[[^:]*\]|\S+\?) \{{ )([^{{}}]+)( \}})$", line)
        if short and not re.match(r"(return|switch|try)\b", short[3]):
            value = "[]" if short[2].startswith("[") else "nil"
            old = self.raw[at][short.end(1):short.end(3)]
            self.add(
                at, "return", f"returns {value} at once", short.end(1), short.end(3),
                lambda n: f"mutantIsOn({n}) ? {value} : {old}")
        head = line
        if re.match(r"^\s*\).*\{$", line):
            head = self.first_line(at) + " " + line
        if not FUNCTION.match(head) or not head.endswith("{"):
            return
        result = re.search(r"-> (\S.*?) \{$", head)
        value = self.empty(result[1]) if result else ""
        depth = indent(line)
        end = next(
            (k for k in range(at + 1, len(self.lines)) if self.lines[k].strip() and indent(self.lines[k]) <= depth),
            at + 1)
        body = [text for text in self.lines[at + 1:end] if text.strip()]
        top = [text for text in body if indent(text) == depth + 4 and not CONTINUATION.match(text)]
        # If the body is one expression, the expression is the result.
        if value is not None and len(top) >= (2 if value else 1):
            blanks, width = " " * (depth + 4), len(self.raw[at])
            self.add(
                at, "return", f"returns{value} at once", width, width,
                lambda n: f"\n{blanks}if mutantIsOn({n}) {{ return{value} }}")

    @staticmethod
    def empty(result: str) -> str | None:
        """Returns the code for an empty result of this type, or None if it is unknown."""
        if result.endswith("?"):
            return " nil"
        if re.match(r"^\[[^:]*\]$", result):
            return " []"
        return {"Bool": " false", "Int": " 0", "Int64": " 0", "Double": " 0"}.get(result)

    def elements(self, at: int, line: str) -> None:
        """Removes one case from array literals, such as an effect."""
        for match in re.finditer(r"\[(?=\.[a-z])", line):
            end = next((k for k in range(match.end(), len(line)) if is_balanced(line[match.start():k + 1])), None)
            if end is None or ":" in line[match.end():end] and "(" not in line[match.end():end]:
                continue
            literal = self.raw[at][match.start():end + 1]
            spans = list(parts(line[match.end():end]))
            elements = [self.raw[at][match.end() + a:match.end() + b].strip() for a, b in spans]
            for index, element in enumerate(elements):
                if element.startswith("."):
                    rest = ", ".join(elements[:index] + elements[index + 1:])
                    self.add(
                        at, "drop", f"drops `{element}`", match.start(), end + 1,
                        lambda n, rest=rest: f"(mutantIsOn({n}) ? [{rest}] : {literal})")


def symbol(number: int) -> str:
    """Returns the operator of a mutant."""
    return chr(0x2A00 + number)


def declaration(number: int, place: Place, target: str) -> str:
    """Returns the lines that declare the operator of a mutant; empty if it needs none."""
    old, sign, on = place.operator, symbol(number), f"mutantIsOn({number})"
    if place.kind == "compare":
        new = place.change.split("`")[3]
        bound = "Equatable" if old in ("==", "!=") else "Comparable"
        types = "<T>(a: T?, b: _OptionalNilComparisonType)" if place.compares_nil else f"<T: {bound}>(a: T, b: T)"
        lines = [f"infix operator {sign}: ComparisonPrecedence"]
        pairs = f"<T: {bound}, U: {bound}>(a: (T, U), b: (T, U))"
        for parameters in [types] if place.compares_nil else [types, pairs]:
            lines.append(f"package func {sign} {parameters} -> Bool {{ {on} ? a {new} b : a {old} b }}")
        return "\n".join(lines) + "\n"
    if place.kind == "logic":
        new = place.change.split("`")[3]
        precedence = "LogicalConjunctionPrecedence" if old == "&&" else "LogicalDisjunctionPrecedence"
        return (f"infix operator {sign}: {precedence}\n"
                f"package func {sign} (a: Bool, b: @autoclosure () throws -> Bool) rethrows -> Bool "
                f"{{ if {on} {{ return try a {new} b() }} else {{ return try a {old} b() }} }}\n")
    if place.kind != "sum":
        return ""
    new = "-" if old == "+" else "+"
    either = f"{{ {on} ? a {new} b : a {old} b }}"
    lines = [f"infix operator {sign}: AdditionPrecedence",
             f"package func {sign} <T: AdditiveArithmetic>(a: T, b: T) -> T {either}"]
    for type_name in ("Instant", "Timestamp"):
        lines.append(f"package func {sign} (a: {type_name}, b: Duration) -> {type_name} {either}")
        if old == "-":
            lines.append(
                f"package func {sign} (a: {type_name}, b: {type_name}) -> Duration {{ {on} ? b - a : a - b }}")
    if old == "+":
        types = [("<E>", "[E]"), ("", "String")] + ([("", "StatementArguments")] if target == "Store" else [])
        lines += [f"package func {sign} {generic}(a: {name}, b: {name}) -> {name} {{ {on} ? a : a + b }}"
                  for generic, name in types]
    if target == "Motion":
        lines.append(f"package func {sign} (a: AccelerationSample, b: AccelerationSample) -> AccelerationSample {either}")
    return "\n".join(lines) + "\n"
