import NumericalMethods
import RealModule

/// Maximum likelihood for samples without the packets too weak for the receiver.
///
/// Each level is an interval of 1 dB of a Gaussian, and each receiver receives nothing below its
/// sensitivity. **Censored** (Tobin 1958): the numbers of packets sent and missed are known; a
/// share of the missed ones may have been lost for reasons other than their level. **Truncated**:
/// they are unknown, and each packet counts given that it was received. Source: Gustafson et al.
/// 2015. Quasi-Newton steps (GSL), then Newton steps on the analytic score; O(counts) per step.
struct CensoredEstimator: LinearEstimator {
  enum Missing: Equatable {
    /// The number of missed packets is unknown.
    case unknown
    /// The number of missed packets is known; `lostShare` of all packets is lost independently of
    /// the level, and is estimated if `nil`.
    case known(lostShare: Double?)
  }

  var missing: Missing

  func fit(_ observations: Observations) throws(NotFitted) -> LinearFit {
    let start = try LeastSquaresEstimator().fit(observations)
    let sigma = max(start.sigma, 0.3)
    guard observations.samples > Double(observations.parameters + 1) else {
      throw .reason("too few samples for \(observations.parameters + 1) parameters")
    }
    let base = start.coefficients + [Double.log(sigma)]
    switch missing {
    case .unknown:
      return try maximise(Likelihood(observations, isTruncated: true, lostShare: 0), from: base)
    case .known(let share?):
      return try maximise(
        Likelihood(observations, isTruncated: false, lostShare: share), from: base)
    case .known(nil):
      let free = try maximise(
        Likelihood(observations, isTruncated: false, lostShare: nil), from: base + [-3])
      let none = try maximise(
        Likelihood(observations, isTruncated: false, lostShare: 0), from: base)
      // A share without effect is far out on the logistic scale, where its error is undefined.
      guard let gain = free.logLikelihood, let without = none.logLikelihood, gain > without + 2
      else {
        return none
      }
      return free
    }
  }

  private func maximise(
    _ likelihood: Likelihood, from start: [Double]
  ) throws(NotFitted) -> LinearFit {
    let size = start.count
    let samples = likelihood.observations.samples
    let search = GradientMinimum(from: start, step: 0.1, tolerance: 1e-5) { place, gradient in
      var scores = [Double](repeating: 0, count: size)
      let value = likelihood.evaluate(place, total: &scores)
      gradient = scores.map { -$0 / samples }
      return value.isFinite ? -value / samples : .infinity
    }
    guard search.place.allSatisfy(\.isFinite) else { throw .undetermined }
    var place = search.place
    var iterations = search.steps
    var positions = likelihood.positions(place)
    var hasConverged = false
    for _ in 0..<20 {
      let total = positions.reduce(Matrix(zeros: size, size)) { $0 + $1.information }
      let score = positions.reduce([Double](repeating: 0, count: size)) { sum, one in
        zip(sum, one.score).map { $0 + $1 }
      }
      guard let inverse = total.positiveInverse else { break }
      let step = inverse * score
      iterations += 1
      guard step.allSatisfy({ abs($0) < 10 }) else { break }
      place = zip(place, step).map { $0 + $1 }
      positions = likelihood.positions(place)
      // The step is far below the standard errors.
      if dot(step, score) < 1e-14 * max(1, samples) {
        hasConverged = true
        break
      }
    }
    let coefficients = Array(place[..<likelihood.observations.parameters])
    var ignored = [Double](repeating: 0, count: size)
    return LinearFit(
      coefficients: coefficients,
      sigma: Double.exp(place[likelihood.observations.parameters]), positions: positions,
      hasConverged: hasConverged, iterations: iterations,
      logLikelihood: likelihood.evaluate(place, total: &ignored),
      lostShare: likelihood.share(place))
  }
}

/// The likelihood of the received and the missed packets.
private struct Likelihood {
  let observations: Observations
  let isTruncated: Bool
  /// The share lost independently of the level; if `nil`, it is the last parameter, on the logistic
  /// scale.
  let lostShare: Double?
  private let halfWidth: Double
  private let heardCounts: [Double]

  init(_ observations: Observations, isTruncated: Bool, lostShare: Double?) {
    self.observations = observations
    self.isTruncated = isTruncated
    self.lostShare = lostShare
    halfWidth = observations.isWhole ? 0.5 : 0
    heardCounts = (0..<observations.stations).map { station in
      observations.weight[observations.first[station]..<observations.first[station + 1]]
        .reduce(0, +)
    }
  }

  func share(_ place: [Double]) -> Double? {
    guard !isTruncated else { return nil }
    return lostShare ?? 1 / (1 + Double.exp(-place[place.count - 1]))
  }

  /// Returns the log-likelihood and adds the scores.
  func evaluate(_ place: [Double], total: inout [Double]) -> Double {
    var sum = 0.0
    forEachStation(place) { _, row, value, byPrediction, rest in
      sum += value
      for (column, x) in row.enumerated() { total[column] += byPrediction * x }
      for (index, slope) in rest.enumerated() { total[row.count + index] += slope }
    }
    return sum
  }

  /// Returns the scores of each position, with their central differences.
  func positions(_ place: [Double]) -> [PositionInformation] {
    let size = place.count
    let scores = scores(place)
    var informations = [Matrix](
      repeating: Matrix(zeros: size, size), count: observations.clusterCount)
    for parameter in 0..<size {
      let step = 1e-4
      var above = place
      var below = place
      above[parameter] += step
      below[parameter] -= step
      let up = self.scores(above)
      let down = self.scores(below)
      for position in informations.indices {
        for other in 0..<size {
          let slope = -(up[position][other] - down[position][other]) / (2 * step)
          informations[position][parameter, other] += slope / 2
          informations[position][other, parameter] += slope / 2
        }
      }
    }
    return zip(informations, scores).map { PositionInformation(information: $0, score: $1) }
  }

  private func scores(_ place: [Double]) -> [[Double]] {
    var scores = [[Double]](
      repeating: [Double](repeating: 0, count: place.count), count: observations.clusterCount)
    forEachStation(place) { station, row, _, byPrediction, rest in
      let position = observations.cluster[station]
      for (column, x) in row.enumerated() { scores[position][column] += byPrediction * x }
      for (index, slope) in rest.enumerated() { scores[position][row.count + index] += slope }
    }
    return scores
  }

  /// Passes each station's log-likelihood to a closure with its derivatives with respect to the
  /// prediction and to the parameters other than coefficients.
  private func forEachStation(
    _ place: [Double],
    _ body: (Int, ArraySlice<Double>, Double, Double, [Double]) -> Void
  ) {
    let parameters = observations.parameters
    let sigma = Double.exp(place[parameters])
    let model = HeardLevel(sigma: sigma, halfWidth: halfWidth)
    let lost = share(place) ?? 0
    let predictions = observations.predictions(Array(place[..<parameters]))
    for station in 0..<observations.stations {
      var value = 0.0
      var byPrediction = 0.0
      var byLogSigma = 0.0
      var byLost = 0.0
      for cell in observations.first[station]..<observations.first[station + 1] {
        let weight = observations.weight[cell]
        guard weight > 0 else { continue }
        let one = model.log(level: observations.level[cell], prediction: predictions[station])
        value += weight * one.value
        byPrediction += weight * one.byPrediction
        byLogSigma += weight * one.byLogSigma
      }
      let sensitivity = observations.sensitivity[station]
      let packets = heardCounts[station]
      if isTruncated {
        let heard = model.logHeard(
          sensitivity: sensitivity, prediction: predictions[station])
        value -= packets * heard.value
        byPrediction -= packets * heard.byPrediction
        byLogSigma -= packets * heard.byLogSigma
      } else {
        let count = observations.missing[station]
        let weak = model.logMissed(sensitivity: sensitivity, prediction: predictions[station])
        // P(missed) = lost + (1 − lost) P(too weak); in logarithms if nothing else is lost.
        let tooWeak = (1 - lost) * Double.exp(weak.value)
        let missed = lost + tooWeak
        let share = lost > 0 ? tooWeak / missed : 1
        value += count * (lost > 0 ? Double.log(missed) : weak.value)
        byPrediction += count * share * weak.byPrediction
        byLogSigma += count * share * weak.byLogSigma
        if lost > 0 {
          value += packets * Double.log(onePlus: -lost)
          // The derivative with respect to the logit; that of the share is lost (1 − lost).
          byLost = -packets * lost + count * lost * (1 - missed) / missed
        }
      }
      let rest = !isTruncated && lostShare == nil ? [byLogSigma, byLost] : [byLogSigma]
      let row = observations.row(station)
      body(station, row, value, byPrediction, rest)
    }
  }
}
