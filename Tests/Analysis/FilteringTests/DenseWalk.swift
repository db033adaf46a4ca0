import Filtering
import TestSupport

/// What a random walk heard in noise was at each sighting, given all sightings up to so many
/// seconds later: a dense Gaussian solve with a start of which nothing is known. Level and variance
/// a line.
func denseWalk(_ heard: WalkingLevels, q: Double, r: Double, lag: Double) throws -> [[Double]] {
  let script = """
    t, z, (q, r, lag), ns = rows
    for k in range(len(t)):
        # In whole nanoseconds, as the smoother counts.
        n = sum(1 for x in ns if x <= ns[k] + lag)
        age = t[:n] - t[k]
        # The walk from t[k] both ways: it is 0 there, and the two sides are independent.
        same = np.sign(age)[:, None] * np.sign(age)[None, :] > 0
        K = q * np.where(same, np.minimum.outer(abs(age), abs(age)), 0) + r * np.eye(n)
        w = np.linalg.solve(K, np.ones(n))
        answer(w @ z[:n] / w.sum(), 1 / w.sum())
    """
  let nanoseconds = heard.times.map { Double($0 - heard.times[0]) }
  return try reference(script, [heard.seconds, heard.levels, [q, r, lag * 1e9], nanoseconds])
}

/// What a smoother says where it is told now and then between sightings how late it is.
func saidInSteps(
  _ smoother: some LevelSmoother, _ heard: WalkingLevels, _ generator: inout SeededGenerator
) -> [FilteredLevel] {
  var smoother = smoother
  var said: [FilteredLevel] = []
  for k in heard.times.indices {
    smoother.update(
      time: heard.times[k], rssi: heard.levels[k], channel: heard.channels[k], into: &said)
    guard k + 1 < heard.times.count else { break }
    for _ in 0..<Int.random(in: 0...3, using: &generator) {
      smoother.advance(
        to: .random(in: heard.times[k]...heard.times[k + 1], using: &generator), into: &said)
    }
  }
  smoother.finish(into: &said)
  return said
}
