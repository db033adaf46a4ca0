"""scikit-learn's isotonic regression of distances on levels."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from rssi_exec import serve  # noqa: E402

from sklearn.isotonic import IsotonicRegression  # noqa: E402


def make(site):
    survey = site.get("survey", [])
    if not survey:
        return None
    model = IsotonicRegression(increasing=False, out_of_bounds="clip").fit(
        [point["levels"][0]["rssi_dbm"] for point in survey], [point["x_m"] for point in survey])
    return lambda heard, _: (model.predict([heard[0]["rssi_dbm"]])[0], 0)


serve(make)
