import NumericalMethods
import RealModule

/// The likelihood of received and missed packets, by position.
///
/// A packet of level y = prediction + u + e is received with probability q L((y − edge) / scale),
/// where L is the logistic curve, u ~ N(0, τ²) is the offset that the packets of a position share
/// and e ~ N(0, σ²) is that of the packet. **Censored**: the number of missed packets is known, and
/// each contributes 1 − q R, where R is the mean of L over e. **Truncated**: it is unknown, and
/// each received packet contributes its density over R (Gustafson et al., IEEE Wireless
/// Communications Letters 4, 2015, for a hard edge). The offset is integrated out by adaptive
/// Gauss–Hermite quadrature, and scores follow from Fisher's identity (Louis 1982). O(counts +
/// stations × nodes) per evaluation.
struct ReceptionLikelihood {
  let observations: Observations
  let form: ReceptionForm
  private let clusters: [[Int]]
  private let sums: [Sums]
  private let rule = GaussHermiteRule(count: 9)
  /// The most likely offset of each position in units of its standard deviation, at the parameters
  /// that were evaluated last: where the next search starts.
  private var peaks: [Double]

  /// The received levels of a station.
  private struct Sums {
    var count = 0.0
    var mean = 0.0
    /// The sum of squares about the mean, in dB².
    var within = 0.0
    var missing = 0.0
    /// The copies of its position in a bootstrap.
    var copies = 1.0
  }

  /// The parameters in the units of the likelihood, with the terms that are the same at every
  /// prediction.
  private struct Point {
    var predictions: [Double]
    var variance: Double
    /// The derivative of the variance with respect to its parameter.
    var varianceSlope: Double
    var place: Double
    var received: Double
    /// The derivative of log scale with respect to its parameter.
    var scaleSlope: Double
    var reception: LogisticNormal?
    /// The edge of each station, in dBm.
    var edges: [Double]
    /// The logarithms of the receptions of the received packets, with their derivatives with
    /// respect to edge and log scale.
    var heard: [(value: Double, byEdge: Double, byLogScale: Double)]
  }

  /// The contribution of a station with its derivatives.
  private struct Term {
    var value = 0.0
    var byPrediction = 0.0
    var curvature = 0.0
    var byVariance = 0.0
    var byEdge = 0.0
    var byLogScale = 0.0
    var byLogit = 0.0
  }

  init(_ observations: Observations, _ form: ReceptionForm) {
    self.observations = observations
    self.form = form
    var clusters = [[Int]](repeating: [], count: observations.clusterCount)
    for (station, cluster) in observations.cluster.enumerated() {
      clusters[cluster].append(station)
    }
    self.clusters = clusters
    peaks = clusters.map { _ in 0 }
    sums = (0..<observations.stations).map { station in
      var sums = Sums()
      let copies =
        observations.copies.isEmpty ? 1 : observations.copies[observations.cluster[station]]
      sums.copies = copies
      guard copies > 0 else { return sums }
      let cells = observations.first[station]..<observations.first[station + 1]
      for cell in cells {
        sums.count += observations.count[cell] / copies
        sums.mean += observations.count[cell] / copies * observations.level[cell]
      }
      if sums.count > 0 { sums.mean /= sums.count }
      for cell in cells {
        let residual = observations.level[cell] - sums.mean
        sums.within += observations.count[cell] / copies * residual * residual
      }
      if !observations.missing.isEmpty { sums.missing = observations.missing[station] / copies }
      return sums
    }
  }

  /// Returns the log-likelihood and its score.
  mutating func evaluate(_ place: [Double]) -> (value: Double, score: [Double]) {
    let point = point(place)
    var (value, score) = (0.0, place.map { _ in 0.0 })
    for cluster in clusters.indices {
      let own = evaluate(cluster, point, parameters: place.count)
      value += own.value
      for index in score.indices { score[index] += own.score[index] }
    }
    return (value, score)
  }

  /// Returns the scores of each position, with their central differences.
  mutating func positions(_ place: [Double]) -> [PositionInformation] {
    let size = place.count
    var informations = [Matrix](repeating: Matrix(zeros: size, size), count: clusters.count)
    let step = 1e-4
    for parameter in 0..<size {
      var (above, below) = (place, place)
      above[parameter] += step
      below[parameter] -= step
      let (up, down) = (scores(above), scores(below))
      for position in informations.indices {
        for other in 0..<size {
          let slope = -(up[position][other] - down[position][other]) / (2 * step)
          informations[position][parameter, other] += slope / 2
          informations[position][other, parameter] += slope / 2
        }
      }
    }
    return zip(informations, scores(place)).map { PositionInformation(information: $0, score: $1) }
  }

  private mutating func scores(_ place: [Double]) -> [[Double]] {
    let point = point(place)
    return clusters.indices.map { evaluate($0, point, parameters: place.count).score }
  }

  private func point(_ place: [Double]) -> Point {
    let parameters = form.parameters(place, columns: observations.parameters)
    let own = Double.exp(2 * parameters.logDeviation)
    let variance = own + observations.roundingVariance
    let stations = observations.stations
    var point = Point(
      predictions: observations.predictions(parameters.coefficients), variance: variance,
      varianceSlope: 2 * own, place: form.placesDiffer ? parameters.place : 0,
      received: parameters.received, scaleSlope: 0, reception: nil, edges: [],
      heard: [(Double, Double, Double)](repeating: (0, 0, 0), count: stations))
    switch form.edge {
    case .none: return point
    case .hard:
      let half = observations.isWhole ? 0.5 : 0
      point.edges = observations.sensitivity.map { $0 - half }
      point.reception = LogisticNormal(variance: variance, scale: 0)
    case .soft:
      let scale = parameters.scale
      point.edges =
        form.edge.level == nil
        ? observations.sensitivity : [Double](repeating: parameters.edge, count: stations)
      point.reception = LogisticNormal(variance: variance, scale: scale)
      point.scaleSlope = parameters.scaleSlope
      for station in 0..<stations where sums[station].copies > 0 {
        for cell in observations.first[station]..<observations.first[station + 1] {
          let v = (observations.level[cell] - point.edges[station]) / scale
          let count = observations.count[cell] / sums[station].copies
          let lost = 1 / (1 + Double.exp(v))
          point.heard[station].value -=
            count * (v > 0 ? Double.log(onePlus: .exp(-v)) : Double.log(onePlus: .exp(v)) - v)
          point.heard[station].byEdge -= count * lost / scale
          point.heard[station].byLogScale -= count * lost * v
        }
      }
    }
    return point
  }

  /// Returns the log-likelihood of a position and its score.
  private mutating func evaluate(
    _ cluster: Int, _ point: Point, parameters: Int
  ) -> (value: Double, score: [Double]) {
    var score = [Double](repeating: 0, count: parameters)
    let copies = clusters[cluster].first.map { sums[$0].copies } ?? 0
    guard copies > 0 else { return (0, score) }
    guard point.place != 0 else {
      let value = add(clusters[cluster], 0, point, share: copies, to: &score)
      return (copies * value, score)
    }
    let (peak, width) = peak(clusters[cluster], point, from: peaks[cluster])
    peaks[cluster] = peak
    var scores: [[Double]] = []
    let (value, shares) = rule.logIntegral(peak: peak, width: width) { z in
      var own = [Double](repeating: 0, count: parameters)
      let value = add(clusters[cluster], z, point, share: 1, to: &own)
      scores.append(own)
      return value - 0.5 * z * z
    }
    for (own, share) in zip(scores, shares) {
      for index in score.indices { score[index] += copies * share * own[index] }
    }
    return (copies * value, score)
  }

  /// Returns the most likely offset of a position in units of its standard deviation, with the
  /// width of the peak.
  ///
  /// Newton steps within the bounds that the signs of the slopes give. A last step below 1e-5 leaves
  /// an error of its square, which is less than what the quadrature notices.
  private func peak(
    _ stations: [Int], _ point: Point, from start: Double
  ) -> (z: Double, width: Double) {
    // Without missed packets the peak is that of the mean level.
    let packets = stations.reduce(0) { $0 + sums[$1].count } / point.variance
    let certain = 1 + packets * point.place * point.place
    var z = start.isFinite ? start : 0
    var (low, high) = (-Double.infinity, Double.infinity)
    var curvature = certain
    for _ in 0..<100 {
      var slope = -z
      curvature = 1
      for station in stations {
        let term = term(station, point.predictions[station] + point.place * z, point)
        slope += point.place * term.byPrediction
        curvature -= point.place * point.place * term.curvature
      }
      // A lost share makes the logarithm convex in places.
      if curvature < 0.5 { curvature = certain }
      if slope > 0 { low = z } else { high = z }
      let step = min(max(slope / curvature, -2), 2)
      let isLast = abs(step) < 1e-5
      z = isLast || (z + step > low && z + step < high) ? z + step : (low + high) / 2
      if isLast { break }
    }
    return (z, 1 / curvature.squareRoot())
  }

  /// Adds the score of a position at an offset, multiplied by a share, and returns its
  /// log-likelihood there.
  private func add(
    _ stations: [Int], _ z: Double, _ point: Point, share: Double, to score: inout [Double]
  ) -> Double {
    let columns = observations.parameters
    var value = 0.0
    for station in stations {
      let term = term(station, point.predictions[station] + point.place * z, point)
      value += term.value
      for column in 0..<columns {
        score[column] += share * term.byPrediction * observations.design[station * columns + column]
      }
      score[columns] += share * term.byVariance * point.varianceSlope
      var index = columns + 1
      func next(_ derivative: Double) {
        score[index] += share * derivative
        index += 1
      }
      if form.placesDiffer { next(term.byPrediction * z) }
      if form.edge.level == .estimated { next(term.byEdge) }
      if form.edge.scale == .estimated { next(term.byLogScale * point.scaleSlope) }
      if form.estimatesLost { next(term.byLogit) }
    }
    return value
  }

  private func term(_ station: Int, _ prediction: Double, _ point: Point) -> Term {
    let own = sums[station]
    let variance = point.variance
    let residual = own.mean - prediction
    let squares = own.within + own.count * residual * residual
    let heard = point.heard[station]
    var term = Term()
    term.value =
      -0.5 * (own.count * Double.log(2 * .pi * variance) + squares / variance) + heard.value
    term.byPrediction = own.count * residual / variance
    term.curvature = -own.count / variance
    term.byVariance = 0.5 * (squares / variance - own.count) / variance
    term.byEdge = heard.byEdge
    term.byLogScale = heard.byLogScale
    let reception = point.reception?.value(at: prediction - point.edges[station])
    // Without an edge, every packet is strong enough.
    let r = reception ?? .certain
    var factor = 0.0
    var bend = 0.0
    if form.countsMissed {
      let q = point.received
      let lost = (1 - q) + q * r.complement
      if own.count > 0, q < 1 { term.value += own.count * Double.log(q) }
      if own.missing > 0 {
        let missed = max(lost, 1e-300)
        term.value += own.missing * Double.log(missed)
        factor = -own.missing * q / missed
        bend = -factor * factor / own.missing
      }
      term.byLogit = own.count * (1 - q) + factor * r.probability * (1 - q)
    } else {
      let probability = max(r.probability, 1e-300)
      term.value -= own.count * Double.log(probability)
      factor = -own.count / probability
      bend = own.count / (probability * probability)
    }
    term.byPrediction += factor * r.slope
    term.curvature += factor * r.curvature + bend * r.slope * r.slope
    term.byVariance += 0.5 * factor * r.curvature
    term.byEdge -= factor * r.slope
    term.byLogScale += factor * r.byLogScale
    return term
  }
}
