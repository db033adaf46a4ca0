"""Finds files that are too small to stand alone.

    lint_files.py [SOURCES]     default: the folder Sources of this repository

- A file X+Y.swift beside X.swift in one target is an error unless X.swift and all its X+*.swift together exceed 300 lines.
- A file below 40 lines declares types whose names at least two other files mention. If it has no types, its functions and
  values count, and if it has none of these either, the members of its extensions. Comments, texts and private declarations
  do not count.
"""

import re
import sys
from collections import defaultdict
from pathlib import Path

LONGEST, SHORT, USERS = 300, 40, 2

OPENING = re.compile(r'//[^\n]*|/\*|(#*)("""|")')
COMMENT = re.compile(r"/\*|\*/")
WORD = re.compile(r"[A-Za-z_]\w*")
DECLARATION = re.compile(
    r"^[ \t]*(?:@\w+(?:\([^)\n]*\))?\s+)*"
    r"(?P<modifiers>(?:(?:public|package|internal|private|fileprivate|open|final|indirect|nonisolated|borrowing|consuming|static"
    r"|mutating|nonmutating|override|dynamic|lazy|weak|unsafe|prefix|postfix|infix|class(?=\s+(?:func|var|let)\b))(?:\([^)\n]*\))?\s+)*)"
    r"(?:(?P<kind>struct|class|enum|protocol|actor|typealias|func|let|var|extension)\s+(?P<name>[A-Za-z_`][\w.`]*|[^\s\w(]+)"
    r"|(?P<maker>init|subscript)\b)", re.M)


def code(text):
    """Returns a Swift source without comments and texts, but with interpolated code."""
    kept, at = [], 0
    while opening := OPENING.search(text, at):
        kept.append(text[at:opening.start()])
        at = opening.end()
        if opening[0] == "/*":
            at = after_comment(text, at)
        elif opening[2]:
            at = after_text(text, at, opening[1], opening[2], kept)
    kept.append(text[at:])
    return " ".join(kept)


def after_comment(text, at):
    depth = 1
    while depth:
        if not (mark := COMMENT.search(text, at)):
            return len(text)
        depth += 1 if mark[0] == "/*" else -1
        at = mark.end()
    return at


def after_text(text, at, hashes, quotes, kept):
    """Returns the end of a text that begins at `at`; appends the interpolated code."""
    is_long = quotes == '"""'
    marks = re.compile(rf"{quotes}{hashes}|\\{hashes}\(|\\{hashes}." + ("" if is_long else "|\n"), re.S)
    while mark := marks.search(text, at):
        at = mark.end()
        if mark[0] == "\n" or mark[0].startswith('"'):
            return at - (mark[0] == "\n")
        if mark[0].endswith("("):
            end = after_parentheses(text, at)
            kept.append(" " + code(text[at:end - 1]) + " ")
            at = end
    return len(text)


def after_parentheses(text, at):
    depth = 1
    for mark in re.finditer(r'[()]|"(?:[^"\\\n]|\\.)*"', text[at:]):
        depth += {"(": 1, ")": -1}.get(mark[0], 0)
        if depth == 0:
            return at + mark.end()
    return len(text)


def levels(source):
    """Returns the code outside of all braces, and that directly within each extension, with the extended name."""
    outer, inner, depth, at, extended = [], [], 0, 0, None
    for brace in re.finditer(r"[{}]", source):
        part = source[at:brace.start()]
        at = brace.end()
        if depth == 0:
            outer.append(part)
            head = ([None] + list(DECLARATION.finditer(part)))[-1]
            is_extension = head and head["kind"] == "extension" and "private" not in head["modifiers"]
            extended = head["name"].split(".")[-1] if is_extension else None
        elif depth == 1 and extended:
            inner.append((extended, part))
        depth = depth + 1 if brace[0] == "{" else max(0, depth - 1)
    return outer + [source[at:]], inner


def declared(source):
    """Returns the names by which other files use a file: its types, else its functions and values, else its additions."""
    types, functions, members = set(), set(), set()
    outer, inner = levels(source)
    for head in (head for part in outer for head in DECLARATION.finditer(part)):
        if "private" in head["modifiers"] or head["kind"] == "extension" or not head["kind"]:
            continue
        (functions if head["kind"] in ("func", "let", "var") else types).add(head["name"].strip("`"))
    for extended, part in inner:
        for head in DECLARATION.finditer(part):
            if "private" not in head["modifiers"]:
                # Initialisers, subscripts and operators are used by the name of their type.
                name = (head["name"] or "").strip("`")
                members.add(name if WORD.fullmatch(name) else extended)
    return types or functions or members


def faults(root):
    """Yields (path, message)."""
    texts = {path: path.read_text("utf-8") for path in sorted(root.rglob("*.swift"))}
    lines = {path: text.count("\n") for path, text in texts.items()}
    targets = defaultdict(dict)
    for path in texts:
        parts = path.relative_to(root).parts
        # A folder of Sources with sources of its own is a target, else its folders are.
        target = parts[:1] if any((root / parts[0]).glob("*.swift")) else parts[:2]
        targets[target][path.stem] = path
    for names in targets.values():
        for name, path in names.items():
            stem = name.split("+")[0]
            if stem == name or stem not in names:
                continue
            whole = sum(lines[other] for known, other in names.items() if known.split("+")[0] == stem)
            if whole <= LONGEST:
                yield path, f"fold it into {stem}.swift: all of {stem} has {whole} lines, and may have {LONGEST}"

    sources = {path: code(text) for path, text in texts.items()}
    users = defaultdict(set)
    for path, source in sources.items():
        for word in set(WORD.findall(source)):
            users[word].add(path)
    for path, source in sources.items():
        # A file that only imports and re-exports has no declarations to move.
        if lines[path] >= SHORT or not DECLARATION.search(source):
            continue
        names = declared(source)
        found = set().union(*(users[name] for name in names)) - {path}
        if len(found) < USERS:
            user = f"only {next(iter(found)).relative_to(root)} uses" if found else "no other file uses"
            listed = ", ".join(sorted(names)[:3]) or "it"
            yield path, f"{lines[path]} lines, and {user} {listed}: fold it into its user, or into a neighbour of the same idea"


root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent / "Sources"
found = list(faults(root))
for path, message in found:
    print(f"{path}: {message}", file=sys.stderr)
if found:
    print(f"{len(found)} files are too small to stand alone", file=sys.stderr)
sys.exit(bool(found))
