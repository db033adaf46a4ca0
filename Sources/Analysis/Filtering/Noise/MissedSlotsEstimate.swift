import NumericalMethods
import RealModule

/// The maximum-likelihood process and measurement noise of a random walk, given the received levels
/// of links and the missed advertisements between them.
///
/// Received weak levels are the strongest of those sent, so by themselves they appear to have
/// little movement and noise. Therefore q and r maximise the likelihood that `TobitFilter`
/// computes, of received and missed packets. For a fixed ratio q / r there is no closed form of r:
/// a `NoiseSearch` over q, with the r of the levels alone, finds the peak, and a simplex search
/// from there finds the best pair. r is never below the variance of rounding; q is 0 if no movement
/// is equally likely. O(levels and missed slots) per evaluation, about 100 evaluations.
package struct MissedSlotsEstimate: Equatable, Sendable {
  /// The process noise, in dB² per second.
  package var q: Double
  /// The measurement noise, in dB².
  package var r: Double
  /// The log-likelihood of a `TobitFilter` with this noise, over all links.
  package var logLikelihood: Double

  /// Estimates the noise that several links share, or returns `nil` if they have too few levels for
  /// a `NoiseEstimate`.
  ///
  /// - Parameters:
  ///   - links: The levels.
  ///   - filter: A filter with the beacons' interval, the floor and the loss.
  package init?(_ links: [NoiseEstimate.Link], of filter: TobitFilter) {
    let heard = NoiseLikelihood(links)
    guard let ofLevels = NoiseEstimate(heard, heard.search()) else { return nil }
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
    // On a plain the simplex approaches q = 0 but never reaches it.
    let isAtRest = atRest > -best.value - 1e-6
    self.logLikelihood = isAtRest ? atRest : -best.value
    (q, r) = (isAtRest ? 0 : noise.q, noise.r)
  }
}

extension TobitFilter {
  /// Returns the log-likelihood of a link's levels and missed slots for some noise.
  func logLikelihood(of link: NoiseEstimate.Link, _ noise: Noise) -> Double {
    var filter = self
    filter.adopt(noise)
    for (time, level) in zip(link.times, link.levels) where level.isFinite {
      _ = filter.update(time: time, rssi: Double(level))
    }
    return filter.logLikelihood
  }
}
