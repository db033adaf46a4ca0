"""scipy's least squares on the relative errors of ranges, which follow from the path-loss curves."""

from rssi_exec import ranges, serve  # first: it sets the number of threads

import numpy as np
from scipy.optimize import least_squares


def make(site):
    def locate(heard, _):
        found = ranges(site, heard)
        if found is None:
            return None
        at, distances = found
        weights = distances**-2 / (distances**-2).sum()
        return least_squares(
            lambda p: (np.linalg.norm(at - [p[0], p[1], 0], axis=1) - distances) / distances, weights @ at[:, :2]).x
    return locate


serve(make)
