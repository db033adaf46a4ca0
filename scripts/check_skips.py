"""Passes the output of `swift test` on; before the runner's own summary reports skipped and failed tests.

With CI=true, exits with 1 if a test was skipped with a message that Tests/allowed-skips.txt does not allow.
"""

import os
import re
import sys
from collections import Counter
from pathlib import Path

SKIPPED = re.compile(r'Test (.*?) skipped(?:: "?(.*?)"?)?\.?$')
FAILED = re.compile(r"^\S* ?Test (.*?) (?:recorded an issue|failed after)")
EVENT = re.compile("[◇✔✘➜] |\\[\\d+/\\d+\\]|Test ")
SUMMARY = re.compile(r"Test run with \d+ tests? .* (passed|failed) after")

lines = Path("Tests/allowed-skips.txt").read_text("utf-8").splitlines()
allowed = [line.split(" -- ")[0] for line in lines if line and not line.startswith("#")]
messages, refused = Counter(), []
# The lines about each failed test: logs are often cut at the beginning, which has these lines.
failures = []
# The number of further lines of an issue's comment to keep, such as a program's output.
comment = 0


def report():
    print(f"==> skipped tests: {messages.total()}")
    for message, count in messages.most_common():
        print(f"    {count} × {message}")
    for name, message in refused:
        print(f"==> not in Tests/allowed-skips.txt: {name}: {message}")
    if failures:
        print("==> failed tests:")
    for line in failures:
        print(f"    {line}")


for line in sys.stdin:
    text = re.sub(r"\x1b\[[0-9;]*m", "", line.rstrip("\n"))
    if skipped := SKIPPED.search(text):
        name, message = skipped[1], skipped[2] or "no message"
        messages[message] += 1
        if not message.startswith(tuple(allowed)):
            refused.append((name, message))
    if SUMMARY.search(text):
        report()
    elif FAILED.search(text):
        failures.append(text)
        comment = 60
    elif comment and not EVENT.match(text):
        failures.append("  " + text)
        comment -= 1
    else:
        comment = 0
    sys.stdout.write(line)
    sys.stdout.flush()

sys.exit(bool(refused) and os.environ.get("CI") == "true")
