"""Damaged and crafted files end in a message, never in a crash, and take bounded memory."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import rssi_trace as rt

SEED = int(os.environ.get("RSSI_SEED", "0")) or random.SystemRandom().randrange(1, 2**31)
COUNT = int(os.environ.get("RSSI_TRIALS", "150"))


def test_damaged_files_are_refused_with_a_message(walks: Path, tmp_path: Path) -> None:
    print(f"RSSI_SEED={SEED}")
    rt.run("fit", walks, series="calibration", output=tmp_path / "calibration.json", quiet=True)
    rt.run("locate", walks, calibration=tmp_path / "calibration.json", algorithm="centroid", output=tmp_path / "full.h5", quiet=True)
    rt.run("fit", walks, series="calibration", output=tmp_path / "full.h5", quiet=True)
    result = subprocess.run([sys.executable, Path(__file__).with_name("read_damaged.py"), tmp_path / "full.h5", str(SEED), str(COUNT)],
                            capture_output=True, text=True, timeout=600)
    last = result.stdout.splitlines()[-1:]
    assert result.returncode == 0, f"{last}\n{result.stderr}"
    read, refused = (int(word) for word in last[0].replace(",", "").split()[::2])
    assert read > COUNT // 10 and refused > COUNT // 10
