"""Growth of memory and time with rotating addresses, by stage; called by scripts/bench/run.

    addresses.py RSSI [ADDRESSES]

A recording of a month of phones that change their addresses each quarter of an hour, three reports each: of 100,000
addresses, and of ADDRESSES (1,000,000; a mall with 2,000 phones has 2,900,000 a month). The last column has MB per 100,000
addresses more.
"""

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from table import row, watched
from traces import passing_phones

program, most = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
os.environ["RSSI_REGISTRY"] = "none"
foreign = "5E1F0A3C-7B42-4D96-A8E1-2C90D4B7F365"


def served(command):
    """Returns the time until a served replay has ended, in seconds, and the peak memory of the server in MB."""
    start = time.perf_counter()
    process = subprocess.Popen([str(word) for word in command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    for line in process.stderr:
        if "the replay has ended" in line:
            break
    seconds = time.perf_counter() - start
    memory = next(int(line.split()[1]) / 1024 for line in Path(f"/proc/{process.pid}/status").read_text().splitlines()
                  if line.startswith("VmHWM"))
    process.send_signal(signal.SIGTERM)
    process.stderr.read()
    assert process.wait() == 0, command
    return seconds, memory


with tempfile.TemporaryDirectory() as folder:
    folder = Path(folder)
    (folder / "nodes.csv").write_text("node,role,x_m,y_m\nhci0,receiver,1,1\n")
    (folder / "distances.csv").write_text("series,time_s,receiver,beacon,distance_m,rssi_dbm\n" + "".join(
        f"bench,{1_700_000_000 + 10 * power + level},hci0,tag,{distance},{-60 - level - 20 * power}\n"
        for power, distance in enumerate((1, 10)) for level in range(4)))
    subprocess.run([program, "fit", folder / "distances.csv", "-o", folder / "fit.json", "--quiet"], check=True,
                   stdout=subprocess.DEVNULL)
    locating = ["--calibration", folder / "fit.json", "--nodes", folder / "nodes.csv", "--algorithm", "nearest-anchor",
                "--epoch", "10s"]

    def stages(recording, trace, other):
        live = [f"replay:{recording}", "--speed", "max"]
        return {
            "watch": ["watch", *live, "--format", "ndjson"],
            "watch --region (of others)": ["watch", *live, "--format", "ndjson", "--region", foreign],
            "serve": ["serve", *live, "--listen", "0", "--every", "10s", *locating],
            "locate live": ["locate", *live, *locating],
            "capture -o -": ["capture", *live, "-o", "-"],
            "capture -o FILE": ["capture", *live, "-o", other],
            "import": ["import", recording, "-o", trace],
            "info": ["info", trace],
            "export": ["export", trace, "-o", folder / "rows.csv"],
            "beacons": ["beacons", trace],
            "beacons -o csv": ["beacons", trace, "-o", folder / "beacons.csv"],
            "beacons --json": ["beacons", trace, "--json"],
            "filter --compare": ["filter", trace, "--compare", "kalman"],
        }

    before = {}
    for addresses in sorted({100_000, most}):
        recording, trace, other = folder / "phones.btsnoop", folder / "phones.h5", folder / "other.h5"
        passing_phones(recording, addresses)
        for stage, command in stages(recording, trace, other).items():
            # The note that a replay has ended needs the log.
            measure = served if stage == "serve" else watched
            try:
                seconds, memory = measure([program, *command, *([] if stage == "serve" else ["--quiet"])])
            except AssertionError:
                print(f"{stage}: ended with an error", file=sys.stderr)
                continue
            note = ""
            if stage in before:
                note = f"{(memory - before[stage]) / (addresses - 100_000) * 100_000:.1f} MB per 100,000 more"
            before.setdefault(stage, memory)
            row(f"{stage}, {addresses:,} addresses", seconds, "s", memory=memory, note=note)
        for path in (recording, trace, other, folder / "rows.csv"):
            path.unlink(missing_ok=True)
