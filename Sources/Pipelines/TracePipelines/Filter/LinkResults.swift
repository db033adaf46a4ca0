import Filtering
import NumericalMethods
import TraceStore

/// What a chain found for each link, with the uncertainty of estimates.
struct LinkResults {
  private let chain: [FilterSpecification]
  private let noise: LinkNoise
  private var levels: [LinkKey: [NoiseEstimate.Link]] = [:]

  /// - Parameter levels: what estimates were made from.
  init(_ chain: [FilterSpecification], _ noise: LinkNoise, _ levels: [LinkLevels]) {
    self.chain = chain
    self.noise = noise
    for link in levels { self.levels[link.key] = link.levels }
  }

  /// One result a link, over its traces: a filter starts again in each trace, its link does not.
  func links(of filters: FilterChain, _ keys: [LinkKey]) -> [FilteredLink] {
    // The filter that a result is about is the last with noise of its own.
    let filter = chain.last { $0.kind.noiseModel != nil }
    var results: [FilteredLink] = []
    var places: [LinkKey: Int] = [:]
    for (link, key) in keys.enumerated() {
      let samples = filters.samples(ofLink: link)
      let likelihood = filters.likelihood(ofLink: link)
      if let place = places[key] {
        results[place].samples += samples
        results[place].logLikelihood += likelihood?.logLikelihood ?? 0
        continue
      }
      places[key] = results.count
      var result = FilteredLink(beacon: key.beacon, receiver: key.receiver, samples: samples)
      if let likelihood {
        result.q = likelihood.noise.q
        result.r = likelihood.noise.r
        result.logLikelihood = likelihood.logLikelihood
      }
      if let filter {
        let used = noise.of(key, filter)
        result.origin = used.origin
        if filter.missingNoise == .randomWalk { judge(&result, used, levels[key] ?? []) }
      }
      results.append(result)
    }
    return results
  }

  private func judge(
    _ result: inout FilteredLink, _ used: LinkNoise.Estimate, _ levels: [NoiseEstimate.Link]
  ) {
    if let uncertainty = used.walk?.uncertainty(from: levels) {
      result.qStandardError = uncertainty.qStandardError
      result.rStandardError = uncertainty.rStandardError
      (result.qLow, result.qHigh) = (uncertainty.q.lower, uncertainty.q.upper)
      (result.rLow, result.rHigh) = (uncertainty.r.lower, uncertainty.r.upper)
    }
    if let whiteness = Whiteness(
      levels, q: result.q, r: result.r, areFitted: result.origin == .link)
    {
      result.whiteness = whiteness.statistic
      result.whitenessLags = UInt16(clamping: whiteness.lags)
      result.whitenessP = whiteness.pValue
      result.meanNIS = whiteness.meanNIS
    }
  }
}
