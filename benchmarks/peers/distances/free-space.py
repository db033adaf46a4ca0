"""The formula of most tutorials: the measured power of the fit, and the exponent 2 of free space."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from rssi_exec import serve  # noqa: E402


def make(site):
    power = site["anchors"][0].get("measured_power_dbm")
    return None if power is None else lambda heard, _: (10 ** ((power - heard[0]["rssi_dbm"]) / 20), 0)


serve(make)
