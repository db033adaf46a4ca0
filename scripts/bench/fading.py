"""Fading of simulated links in steps of time; imported by the scripts that simulate recordings."""

import numpy as np
from scipy.signal import lfilter
from scipy.special import exp1


def ar(rng, shape, kept, deviation=1.0):
    """Returns stationary AR(1) noise along the last axis, each step with a share kept of the one before."""
    steps = rng.normal(size=shape)
    steps[..., 0] /= np.sqrt(1 - kept ** 2)
    return deviation * np.sqrt(1 - kept ** 2) * lfilter([1], [1, -kept], steps, axis=-1)


def rician(rng, shape, kept, ratio=4.0):
    """Returns Rician fading in dB about its mean in dB, from scattered waves that keep a share of the step before."""
    scatter = np.sqrt(0.5 / (ratio + 1)) * (ar(rng, shape, kept) + 1j * ar(rng, shape, kept))
    # The mean of the logarithm of a Rician power whose mean is 1.
    mean = 10 / np.log(10) * (np.log(ratio / (ratio + 1)) + exp1(ratio))
    return 20 * np.log10(abs(np.sqrt(ratio / (ratio + 1)) + scatter)) - mean
