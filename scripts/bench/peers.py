"""Plain methods of scikit-learn and scipy, as programs for `rssi eval --algorithm exec:`.

    peers.py knn | gp | multilateration

`knn` and `gp` learn places from the survey's levels; an anchor that was not received has the lowest level of the survey less
1 dB. The number of neighbours (1 to 15, weights by distance) is chosen by leaving out places. `multilateration` minimises
the relative errors of ranges, which follow from the path-loss curves.
"""

import json
import sys
import warnings

import numpy as np


def vector(levels, names, silent):
    found = {level["anchor"]: level["rssi_dbm"] for level in levels}
    return [found.get(name, silent) for name in names]


def learned(method, site):
    """Returns a function from levels to a place, or None without a survey."""
    survey = [point for point in site.get("survey", []) if point["levels"]]
    if len(survey) < 2:
        return None
    names = sorted({level["anchor"] for point in survey for level in point["levels"]})
    silent = min(level["rssi_dbm"] for point in survey for level in point["levels"]) - 1
    levels = np.array([vector(point["levels"], names, silent) for point in survey])
    places = np.array([[point["x_m"], point["y_m"]] for point in survey])
    # A program is started for each trace, so it loads only what it uses.
    if method == "knn":
        from sklearn.model_selection import GridSearchCV, GroupKFold
        from sklearn.neighbors import KNeighborsRegressor

        _, groups = np.unique(np.round(places), axis=0, return_inverse=True)
        groups = groups.ravel()
        folds = min(10, groups.max() + 1)
        counts = [k for k in (1, 2, 3, 4, 5, 7, 10, 15) if k <= len(survey) * (folds - 1) // folds]
        model = KNeighborsRegressor(weights="distance", n_neighbors=1)
        if folds > 1 and counts:
            search = GridSearchCV(model, {"n_neighbors": counts}, cv=GroupKFold(folds),
                                  scoring="neg_mean_absolute_error")
            model = search.fit(levels, places, groups=groups).best_estimator_
        else:
            model.fit(levels, places)
    else:
        from sklearn.gaussian_process import GaussianProcessRegressor
        from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel

        kernel = ConstantKernel(1.0) * RBF(20.0, (2.0, 200.0)) + WhiteKernel(0.3, (1e-3, 10.0))
        model = GaussianProcessRegressor(kernel, normalize_y=True, random_state=1)
        # Cubic in the points, so those of long walks are thinned.
        step = max(1, len(survey) // 600)
        model.fit(levels[::step], places[::step])
    return lambda heard: model.predict([vector(heard, names, silent)])[0].tolist()


def multilateration(site):
    from scipy.optimize import least_squares

    anchors = {anchor["anchor"]: anchor for anchor in site["anchors"]}

    def place(heard):
        if len(heard) < 3:
            return None
        a = [anchors[level["anchor"]] for level in heard]
        at = np.array([[anchor["x_m"], anchor["y_m"], anchor["z_m"]] for anchor in a])
        ranges = np.array([10 ** ((anchor["measured_power_dbm"] - level["rssi_dbm"]) / (10 * anchor["exponent"]))
                           for anchor, level in zip(a, heard)])
        weights = ranges**-2 / (ranges**-2).sum()

        def errors(p):
            return (np.linalg.norm(at - [p[0], p[1], 0], axis=1) - ranges) / ranges
        return least_squares(errors, weights @ at[:, :2]).x.tolist()
    return place


method, locate = sys.argv[1], None
warnings.simplefilter("ignore")
for line in sys.stdin:
    message = json.loads(line)
    if message["kind"] == "site":
        locate = multilateration(message) if method == "multilateration" else learned(method, message)
        continue
    found = locate(message["levels"]) if locate and message["levels"] else None
    print(json.dumps({"x_m": found[0], "y_m": found[1]} if found else {"refused": "too-few-anchors"}), flush=True)
