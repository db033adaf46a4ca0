"""Checks the syntax of style sheets, and that the custom properties that they use are defined.

    lint_css.py FILE...
"""

import re
import sys
from pathlib import Path

import tinycss2

# PagePalette.swift defines these.
GIVEN = re.compile(r"--(colour|c\d|ink|soft|faint|grid|page|halo|wall|room)$")


def faults(nodes, defined, used):
    """Yields (line, message) for each syntax error of a list of rules and declarations."""
    for node in nodes:
        if node.type == "error":
            yield node.source_line, node.message
        elif node.type == "declaration":
            if not tinycss2.serialize(node.value).strip():
                yield node.source_line, f"{node.name} has no value"
            defined.add(node.name)
            for name in re.findall(r"var\((--[\w-]+)", tinycss2.serialize(node.value)):
                used.append((node.source_line, name))
        elif node.type in ("qualified-rule", "at-rule") and node.content is not None:
            content = tinycss2.parse_blocks_contents(node.content, skip_comments=True, skip_whitespace=True)
            yield from faults(content, defined, used)


failed = False
for path in sys.argv[1:]:
    sheet = tinycss2.parse_stylesheet(Path(path).read_text("utf-8"), skip_comments=True, skip_whitespace=True)
    defined, used = set(), []
    found = list(faults(sheet, defined, used))
    found += [(line, f"{name} is not defined") for line, name in used if name not in defined and not GIVEN.match(name)]
    for line, message in sorted(found):
        print(f"{path}:{line}: {message}", file=sys.stderr)
    failed = failed or bool(found)
sys.exit(failed)
