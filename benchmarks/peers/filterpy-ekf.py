"""filterpy's extended Kalman filter on ranges: place and velocity, accelerations of 0.5 m/s², ranges to ± 40 %."""

from rssi_exec import ranges, serve  # first: it sets the number of threads

import numpy as np
from filterpy.common import Q_discrete_white_noise
from filterpy.kalman import ExtendedKalmanFilter


def make(site):
    state = {"filter": None, "time": None}

    def locate(heard, time):
        found = ranges(site, heard)
        ekf = state["filter"]
        if ekf is not None:
            step = min(max(time - state["time"], 1e-3), 30)
            ekf.F = np.kron(np.eye(2), [[1, step], [0, 1]])
            ekf.Q = np.kron(np.eye(2), Q_discrete_white_noise(2, step, 0.25))
            ekf.predict()
        state["time"] = time
        if found is None:
            return None if ekf is None else ekf.x[[0, 2], 0]
        at, distances = found
        if ekf is None:
            ekf = state["filter"] = ExtendedKalmanFilter(4, len(distances))
            weights = distances**-2 / (distances**-2).sum()
            start = weights @ at[:, :2]
            ekf.x = np.array([[start[0]], [0.0], [start[1]], [0.0]])
            ekf.P = np.diag([9.0, 1.0, 9.0, 1.0])

        def expected(x):
            return np.sqrt((x[0, 0] - at[:, 0]) ** 2 + (x[2, 0] - at[:, 1]) ** 2 + at[:, 2] ** 2 + 1e-6).reshape(-1, 1)

        def jacobian(x):
            slope = np.zeros((len(at), 4))
            slope[:, 0], slope[:, 2] = (x[0, 0] - at[:, 0]) / expected(x)[:, 0], (x[2, 0] - at[:, 1]) / expected(x)[:, 0]
            return slope
        ekf.R = np.diag((0.4 * distances) ** 2)
        ekf.dim_z = len(distances)
        ekf.update(distances.reshape(-1, 1), jacobian, expected)
        return ekf.x[[0, 2], 0]
    return locate


serve(make)
