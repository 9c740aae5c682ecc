"""Reads Swift files as text: which names each declares and uses, its functions, and the stored properties of its types.

Text shows enough for figures, but no types: it does not see a call of a method that the type itself declares, an operator, or
what an inferred type is. The compiler checks the borders between targets; these figures are about the files inside one target.
"""

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

Arrows = dict[str, dict[str, set[str]]]

LITERAL = re.compile(r'//|/\*|#*"')
MODIFIERS = (
    r"(?:(?:public|package|internal|private|fileprivate|open|final|indirect|static|class|mutating|nonmutating|consuming|borrowing|"
    r"override|required|convenience|lazy|weak|unowned|nonisolated|dynamic|prefix|postfix|infix)(?:\((?:set|unsafe|safe)\))?\s+)*"
)
ATTRIBUTES = r"(?:@\w+(?:\.\w+)*(?:\((?:[^()]|\([^()]*\))*\))?\s+)*"
DECLARATION = re.compile(
    ATTRIBUTES + r"(?P<mods>" + MODIFIERS + r")"
    r"(?:(?P<kind>struct|class|enum|protocol|actor|extension)\s+(?P<type>[A-Z_]\w*(?:\.\w+)*)"
    r"|(?:typealias|associatedtype)\s+(?P<alias>[A-Z]\w*)"
    r"|func\s+(?P<func>`?\w+`?|[^\s\w(]+)|(?P<init>init|deinit)\b(?=\s*[?!]?\s*[({<]|\s*$)|(?P<subscript>subscript)\b"
    r"|(?P<bind>let|var)\s+(?P<names>\w+|`\w+`|\([^()]*\))"
    r"|case\s+(?P<cases>[^\n]*))"
)
DATA = re.compile(r"^[^{]*:[^{]*\b(?:Codable|Encodable|Decodable)\b")
TYPES = ("struct", "class", "enum", "actor", "protocol")
EXTENSIONS = ("extension", "conformance", "hidden extension")
# Members that the standard library, Foundation or Glibc also has: a use does not show whose member it is.
FOREIGN = set(
    "replacing move append first last contains insert remove text value write read close open stat description databaseValue".split()
)


def code_of(text: str) -> str:
    """Returns the text without comments and without the text of literals; interpolations and the number of lines stay."""
    out, at = [], 0
    while match := LITERAL.search(text, at):
        out.append(text[at : match.start()])
        if match[0] == "//":
            at = text.find("\n", match.start())
            at = len(text) if at < 0 else at
        elif match[0] == "/*":
            at = _end_of_comment(text, match.end())
            out.append("\n" * text.count("\n", match.start(), at))
        else:
            code, at = _literal(text, match.start())
            out.append(code)
    return "".join(out) + text[at:]


def _end_of_comment(text: str, at: int) -> int:
    depth = 1
    for match in re.compile(r"/\*|\*/").finditer(text, at):
        depth += 1 if match[0] == "/*" else -1
        if depth == 0:
            return match.end()
    return len(text)


def _literal(text: str, at: int) -> tuple[str, int]:
    """Returns the interpolations of a literal, and the index behind it."""
    start = at
    while text[at] == "#":
        at += 1
    hashes = "#" * (at - start)
    quote = '"""' if text.startswith('"""', at) else '"'
    at += len(quote)
    out = ['"']
    while at < len(text) and not text.startswith(quote + hashes, at):
        if text.startswith("\\" + hashes, at):
            at += 1 + len(hashes)
            if text.startswith("(", at):
                code, at = _interpolation(text, at)
                out.append(f'" {code} "')
            else:
                at += 1
        elif text[at] == "\n" and quote == '"':
            return "".join(out) + '"', at
        else:
            out.append("\n" if text[at] == "\n" else "")
            at += 1
    return "".join(out) + '"', at + len(quote) + len(hashes)


def _interpolation(text: str, at: int) -> tuple[str, int]:
    depth, out = 0, []
    while at < len(text):
        if text[at] == '"' or re.match(r'#+"', text[at : at + 4]):
            code, at = _literal(text, at)
            out.append(code)
            continue
        depth += (text[at] == "(") - (text[at] == ")")
        out.append(text[at])
        at += 1
        if depth == 0:
            break
    return "".join(out), at


@dataclass
class SwiftType:
    """A type of a target, with its extensions in all files of the target."""

    name: str
    kind: str
    fields: list[tuple[str, bool]] = field(default_factory=list)  # name, whether it is private
    functions: int = 0
    mutating: int = 0
    is_data: bool = False

    @property
    def acts(self) -> bool:
        """A class with a function, or a struct with a mutating one; a Codable type with at most two functions is data."""
        if self.is_data and self.functions <= 2:
            return False
        return self.kind in ("class", "actor") and self.functions > 0 or self.kind == "struct" and self.mutating > 0


class SwiftFile:
    """What one file of Sources declares and uses."""

    def __init__(self, path: str, text: str) -> None:
        parts = path.split("/")
        self.path, self.target = path, parts[1]
        self.folder = parts[2] if len(parts) > 3 else "."
        self.lines = len(text.splitlines())
        self.types: list[tuple[str, str]] = []
        self.top: set[str] = set()  # Names at the top level that other files can use.
        self.members: set[str] = set()  # Names in extensions that add no conformance.
        self.own: set[str] = set()  # Every declared name.
        self.functions: list[tuple[str, int, int]] = []  # Name, first line, number of lines.
        self.facts: list[tuple] = []  # What the file adds to types: fields, functions, Codable.
        code = code_of(text)
        self._parse(code.split("\n"))
        body = re.sub(r"^\s*(?:@\w+\s+)*(?:\w+\s+)?import\s.*$", "", code, flags=re.M)
        self.bare = set(re.findall(r"(?<![\w.`])[A-Z]\w*", body))
        self.called = set(re.findall(r"(?<![\w.`])([a-z_]\w*)(?=\s*\()", body))
        self.dotted = set(re.findall(r"\.\s*`?(\w+)", body))
        self.qualified = set(re.findall(r"(?<![\w.])([A-Z]\w*)\.([A-Z]\w*)", body))

    def _parse(self, lines: list[str]) -> None:
        stack: list[tuple[str, str | None, int]] = []
        pending = None
        for number, line in enumerate(lines, 1):
            code = line.strip()
            if code and code[0] not in "}{)":
                match = DECLARATION.match(code)
                if match and (match["cases"] is None or stack and stack[-1][0] == "enum"):
                    pending = self._declare(match, code, number, stack, lines) or pending
            for brace in re.findall(r"[{}]", line):
                if brace == "{":
                    stack.append(pending or ("block", None, number))
                    pending = None
                elif stack:
                    kind, name, first = stack.pop()
                    if kind == "func":
                        self.functions.append((name or "", first, number - first + 1))
            if pending and pending[0] == "func" and code and not _goes_on(lines, pending[2], number):
                pending = None  # A requirement of a protocol: it has no body.

    def _declare(self, match, code: str, number: int, stack: list, lines: list[str]):
        """Notes a declaration; returns what its brace opens."""
        mods = set(match["mods"].split())
        is_hidden = bool({"private", "fileprivate"} & mods)
        around, owner = stack[-1][:2] if stack else (None, None)
        rest = code[match.end() :]
        if match["kind"] == "extension":
            if DATA.search(rest):
                self.facts.append(("data", match["type"]))
            conforms = ":" in rest.split("{")[0].split(" where ")[0]
            return "conformance" if conforms else "hidden extension" if is_hidden else "extension", match["type"], number
        if match["kind"]:
            outer = next((name for kind, name, _ in reversed(stack) if kind in TYPES + EXTENSIONS), None)
            full = f"{outer}.{match['type']}" if outer else match["type"]
            self.types.append((full, match["kind"]))
            if DATA.search(rest):
                self.facts.append(("data", full))
            self._own({match["type"]}, not is_hidden and not stack, not is_hidden and around in EXTENSIONS[:2])
            return match["kind"], full, number
        if match["alias"]:
            self._own({match["alias"]}, not is_hidden and not stack, False)
        elif match["bind"]:
            names = _bound_names(match, rest)
            self._own(set(names), not is_hidden and not stack, not is_hidden and around == "extension")
            if around in ("struct", "class", "actor") and not {"static", "class"} & mods and _is_stored(match, rest, lines, number):
                self.facts.append(("fields", owner, [(name, is_hidden) for name in names]))
        elif match["cases"] is not None:
            cases = re.sub(r"\([^()]*(?:\([^()]*\)[^()]*)*\)", "", match["cases"])
            self.own |= set(re.findall(r"(?:^|,)\s*`?([a-z_]\w*)", cases))
        else:
            if match["func"]:
                self._own({match["func"].strip("`")}, not is_hidden and not stack, not is_hidden and around == "extension")
                if around in TYPES[:4] + EXTENSIONS and "static" not in mods:
                    self.facts.append(("func", owner, "mutating" in mods))
            return "func", (match["func"] or match["init"] or "subscript").strip("`"), number
        return None

    def _own(self, names: set[str], is_top: bool, is_member: bool) -> None:
        self.own |= names
        self.top |= names if is_top else set()
        self.members |= names if is_member else set()


def _goes_on(lines: list[str], first: int, number: int) -> bool:
    """Returns whether a signature has not ended in line `number`."""
    text = "\n".join(lines[first - 1 : number])
    if text.count("(") > text.count(")") or text.count("[") > text.count("]"):
        return True
    following = next((line.strip() for line in lines[number : number + 2] if line.strip()), "")
    starts = ("{", "->", "where", "throws", "async", "rethrows", ")")
    return following.startswith(starts) or lines[number - 1].rstrip().endswith((",", "->", "where"))


def _bound_names(match, rest: str) -> list[str]:
    if match["names"].startswith("("):
        return re.findall(r"\w+", match["names"])
    names, depth = [match["names"].strip("`")], 0
    for found in re.finditer(r"[(\[{<]|[)\]}]|(?<!-)>|,\s*(\w+)\s*(?=[:=,])|=", rest):
        if found[0] in "([{<":
            depth += 1
        elif found[0] in ")]}>":
            depth -= 1
        elif found[1] and depth == 0:
            names.append(found[1])
    return names


def _is_stored(match, rest: str, lines: list[str], number: int) -> bool:
    """Returns whether a property has storage: no brace, or a brace behind `=` or with observers."""
    if match["bind"] == "let" or "lazy" in match["mods"]:
        return True
    following, depth = " ".join(lines[number : number + 2]), 0
    if not rest.strip() or rest.rstrip().endswith((":", ",")):
        rest += " " + (lines[number].strip() if number < len(lines) else "")
    for index, sign in enumerate(rest):
        depth += (sign in "([<") - (sign in ")]" or sign == ">" and rest[index - 1] != "-")
        if depth == 0 and sign == "=" and rest[index - 1] not in "=!<>" and rest[index + 1 : index + 2] != "=":
            return True
        if depth == 0 and sign == "{":
            return bool(re.match(r"\s*(?:@\w+\s+)*(?:willSet|didSet)\b", rest[index + 1 :] + following))
    return True


def arrows_between(files: list[SwiftFile], declared: dict[str, int]) -> Arrows:
    """Returns which file of one target uses names of which other; `declared`: in how many files of Sources a name is declared."""
    tops: dict[str, set[str]] = defaultdict(set)
    for file in files:
        for name in file.top:
            tops[name].add(file.path)
    members = {
        name: file.path
        for file in files
        for name in file.members
        if declared[name] == 1 and len(name) > 3 and name not in tops and name not in FOREIGN
    }
    arrows: Arrows = defaultdict(lambda: defaultdict(set))
    for file in files:
        used = file.bare | file.called | {name for module, name in file.qualified if module == file.target}
        for name in used - file.own:
            for other in tops.get(name, set()) - {file.path}:
                arrows[file.path][other].add(name)
        for name in (file.dotted | file.called) - file.own:
            if members.get(name, file.path) != file.path:
                arrows[file.path][members[name]].add(f".{name}")
    return arrows


def circles(nodes: Iterable[str], arrows: Arrows) -> list[list[str]]:
    """Returns the strongly connected components with more than one file (Tarjan, 1972), the biggest first."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    open_nodes: list[str] = []
    found = []
    for root in nodes:
        if root in index:
            continue
        index[root] = low[root] = len(index)
        open_nodes.append(root)
        work = [(root, iter(sorted(arrows.get(root, ()))))]
        while work:
            node, following = work[-1]
            other = next((one for one in following if one not in index or one in open_nodes), None)
            if other is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    part = open_nodes[open_nodes.index(node) :]
                    del open_nodes[open_nodes.index(node) :]
                    found += [sorted(part)] if len(part) > 1 else []
            elif other in index:
                low[node] = min(low[node], index[other])
            else:
                index[other] = low[other] = len(index)
                open_nodes.append(other)
                work.append((other, iter(sorted(arrows.get(other, ())))))
    return sorted(found, key=lambda part: (-len(part), part))


def types_that_act(files: list[SwiftFile]) -> list[SwiftType]:
    """Returns the acting types of one target that have stored properties."""
    types: dict[str, SwiftType] = {}
    for file in files:
        for name, kind in file.types:
            types.setdefault(name, SwiftType(name, kind))
    by_last = defaultdict(list)
    for name in types:
        by_last[name.split(".")[-1]].append(name)
    for what, name, *more in (fact for file in files for fact in file.facts):
        candidates = [name] if name in types else by_last[(name or "").split(".")[-1]]
        if len(candidates) != 1:
            continue
        one = types[candidates[0]]
        if what == "fields":
            one.fields += more[0]
        elif what == "func":
            one.functions += 1
            one.mutating += more[0]
        else:
            one.is_data = True
    return [one for one in types.values() if one.acts and one.fields]
