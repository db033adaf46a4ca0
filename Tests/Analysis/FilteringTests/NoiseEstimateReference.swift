import Filtering
import TestSupport
import Testing

/// The likelihood of q and r by other means, in Python: a link's levels less their predecessors are
/// Gaussian with a tridiagonal covariance. For each of `sets()`, what `likelihoodRows` made of
/// links, `loss(q, r)` is its negative, `least` the least r, and `best()` its least value with q
/// and r, in the inside or at an end.
let likelihoodScript = """
  from scipy.linalg import cholesky_banded, cho_solve_banded
  from scipy.optimize import minimize, minimize_scalar, brentq
  def sets():
      global least, links, count
      rest = iter(rows)
      for head in rest:
          least, links = head[0], []
          for _ in range(int(head[1])):
              t, z = next(rest), next(rest)
              links.append((np.diff(np.maximum.accumulate(t)), np.diff(z)))
          count = sum(len(d) for h, d in links)
          yield
  def loss(q, r):
      total = 0.0
      for h, d in links:
          band = np.zeros((2, len(d)))
          band[0, 1:] = -r
          band[1] = q * h + 2 * r
          factor = cholesky_banded(band)
          total += 0.5 * (len(d) * np.log(2 * np.pi) + 2 * np.log(factor[1]).sum()
                          + d @ cho_solve_banded((factor, False), d))
      return total
  def least_over(f, low, high):
      grid = np.arange(low, high, 0.5)
      k = np.argmin([f(x) for x in grid])
      return minimize_scalar(f, bounds=(grid[k] - 0.5, grid[k] + 0.5), method="bounded",
                             options=dict(xatol=1e-10))
  def best():
      candidates = []
      still = least_over(lambda x: loss(0, np.exp(x)), -4, 12)
      candidates.append((still.fun, 0.0, np.exp(still.x)))
      quiet = least_over(lambda x: loss(np.exp(x), least), -12, 12)
      # The search never reaches 0 itself: what is within its precision of it is there.
      if quiet.fun < still.fun - 1e-9: candidates.append((quiet.fun, np.exp(quiet.x), least))
      starts = [(x, y) for x in range(-8, 9, 2) for y in range(-4, 9, 2)]
      start = min(starts, key=lambda p: loss(*np.exp(p)))
      found = minimize(lambda p: loss(*np.exp(p)), start, method="Nelder-Mead",
                       options=dict(xatol=1e-9, fatol=1e-12, maxiter=4000))
      if np.exp(found.x[1]) >= least and found.fun < still.fun - 1e-9:
          candidates.append((found.fun, *np.exp(found.x)))
      return min(candidates)

  """

/// Returns the input of `likelihoodScript`: the least r and the number of links; each link's times
/// in seconds and its levels.
func likelihoodRows(_ links: [NoiseEstimate.Link], leastR: Double) -> [[Double]] {
  [[leastR, Double(links.count)]]
    + links.flatMap { link in
      [link.times.map { Double($0 - link.times[0]) * 1e-9 }, link.levels.map(Double.init)]
    }
}

extension NoiseEstimate.Link {
  /// The mean of each level and the one before: changes that go on as they went show no noise.
  func smoothed() -> NoiseEstimate.Link {
    NoiseEstimate.Link(
      times: Array(times.dropFirst()),
      levels: zip(levels, levels.dropFirst()).map { 0.5 * ($0 + $1) })
  }

  /// The levels in steps of so many dB, as a receiver reports them.
  func rounded(to step: Float = 1) -> NoiseEstimate.Link {
    NoiseEstimate.Link(times: times, levels: levels.map { ($0 / step).rounded() * step })
  }
}
