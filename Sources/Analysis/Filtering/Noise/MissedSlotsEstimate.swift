import NumericalMethods
import RealModule

/// The process and measurement noise of a random walk under which the levels of links, and the
/// advertisements missed between them, are most likely.
///
/// Weak levels that are heard are the strong ones of those that came: by themselves they look as if
/// they hardly moved and had little noise. So q and r maximise the likelihood that `TobitFilter`
/// computes, of what was heard and of what was not. For one ratio q / r there is no closed form of
/// r: a `NoiseSearch` over q, with the r of the levels alone, finds the peak, and a simplex goes
/// from there to the best pair. r is never below the variance of rounding; where no movement at all
/// is as likely, q is 0. O(levels and missed slots) an evaluation, about 100 evaluations.
package struct MissedSlotsEstimate: Equatable, Sendable {
  /// dB² per second.
  package var q: Double
  /// dB².
  package var r: Double
  /// As in a `TobitFilter` with this noise, over all links.
  package var logLikelihood: Double

  /// The estimate shared by several links, or nil where they have too few levels for a
  /// `NoiseEstimate`.
  ///
  /// - Parameters:
  ///   - links: the levels.
  ///   - filter: a filter that has the beacons' interval, the floor and the loss.
  package init?(_ links: [NoiseEstimate.Link], of filter: TobitFilter) {
    let heard = NoiseLikelihood(links)
    guard let ofLevels = NoiseEstimate(heard) else { return nil }
    func logLikelihood(_ q: Double, _ r: Double) -> Double {
      links.reduce(0) { $0 + filter.logLikelihood(of: $1, Noise(q: q, r: r)) }
    }
    (q, r) = (0, ofLevels.r)
    self.logLikelihood = logLikelihood(q, r)
    guard let logRatios = heard.logRatios else { return }
    let scan = NoiseSearch(in: logRatios, margin: 0) { places in
      var values = NoiseLikelihood.Lanes()
      for lane in 0..<4 {
        values[lane] = logLikelihood(ofLevels.r * .exp(places[lane]), ofLevels.r)
      }
      return values
    }
    func noise(_ x: [Double]) -> Noise { Noise(q: .exp(x[0]), r: max(.exp(x[1]), heard.leastR)) }
    let best = SimplexMinimum(
      from: [scan.place + .log(r), .log(r)], steps: [1, 0.5], tolerance: 1e-4, maximumSteps: 200
    ) {
      let noise = noise($0)
      return -logLikelihood(noise.q, noise.r)
    }
    let noise = noise(best.x)
    let atRest = logLikelihood(0, noise.r)
    // The simplex comes near q = 0 on a plain, and never there.
    let isAtRest = atRest > -best.value - 1e-6
    self.logLikelihood = isAtRest ? atRest : -best.value
    (q, r) = (isAtRest ? 0 : noise.q, noise.r)
  }
}

extension TobitFilter {
  /// The log-likelihood of a link's levels and missed slots under some noise.
  fileprivate func logLikelihood(of link: NoiseEstimate.Link, _ noise: Noise) -> Double {
    var filter = self
    filter.adopt(noise)
    for (time, level) in zip(link.times, link.levels) where level.isFinite {
      _ = filter.update(time: time, rssi: Double(level))
    }
    return filter.logLikelihood
  }
}
