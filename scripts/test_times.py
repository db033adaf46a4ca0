"""Runs each test suite alone and prints its processor time, with that of the programs that it starts.

    test_times.py BUNDLE [PATTERN]     the built tests; a regular expression that chooses suites

Common preparations of suites are repeated here, so the sum is an upper limit.
"""

import os
import re
import subprocess
import sys
import time

RUNNER = [sys.argv[1], "--testing-library", "swift-testing"]
chosen = re.compile(sys.argv[2] if len(sys.argv) > 2 else "")
# A suite that takes more belongs to --system, or needs less data.
LIMIT_S = 10


def suites():
    """Returns the first two parts of the tests' names, in their order: Module.Suite, or Module.test() of no suite."""
    listed = subprocess.run([*RUNNER, "--list-tests"], capture_output=True, text=True, check=True).stdout
    return dict.fromkeys(line.split("/")[0] for line in listed.splitlines() if "." in line)


def measured(suite):
    """Returns processor and wall seconds of a run of one suite, and whether it passed."""
    started = time.monotonic()
    pattern = "^" + re.escape(suite) + ("$" if suite.endswith(")") else "/")
    process = subprocess.Popen([*RUNNER, "--filter", pattern], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    return usage.ru_utime + usage.ru_stime, time.monotonic() - started, os.waitstatus_to_exitcode(status) == 0


times, failed = [], []
for suite in filter(chosen.search, suites()):
    processor, wall, has_passed = measured(suite)
    times.append((processor, wall, suite))
    failed += [] if has_passed else [suite]
    print(f"{processor:8.1f} s {wall:8.1f} s  {suite}", flush=True)

times.sort(reverse=True)
print(f"\n==> suites that take {LIMIT_S} s of processor time and more")
for processor, wall, suite in times:
    if processor >= LIMIT_S:
        print(f"{processor:8.1f} s {wall:8.1f} s  {suite}")
print(f"==> {len(times)} suites: {sum(time[0] for time in times) / 60:.1f} min of processor time")
for suite in failed:
    print(f"==> failed: {suite}")
sys.exit(bool(failed))
