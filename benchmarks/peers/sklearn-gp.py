"""scikit-learn's Gaussian process from levels to places."""

import warnings

from rssi_exec import fingerprints, serve
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel

warnings.simplefilter("ignore")


def fit(levels, places):
    kernel = ConstantKernel(1.0) * RBF(20.0, (2.0, 200.0)) + WhiteKernel(0.3, (1e-3, 10.0))
    model = GaussianProcessRegressor(kernel, normalize_y=True, random_state=1)
    # Cubic in the points, so those of long walks are thinned.
    step = max(1, len(places) // 600)
    return model.fit(levels[::step], places[::step])


serve(lambda site: fingerprints(site, fit))
