"""The default curve of the AltBeacon library for Android (Nexus 5), with the measured power of the fit."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from rssi_exec import serve  # noqa: E402


def make(site):
    power = site["anchors"][0].get("measured_power_dbm")
    if power is None:
        return None

    def locate(heard, _):
        ratio = heard[0]["rssi_dbm"] / power
        return ratio**10 if ratio < 1 else 0.42093 * ratio**6.9476 + 0.54992, 0
    return locate


serve(make)
