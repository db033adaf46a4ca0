import Geometry
import RealModule
import Support

/// The exponents by which likelihoods on floors, and the claims of answers, are weakened.
///
/// The errors of a map persist along a way, so what is received within seconds is not independent
/// evidence. The exponents of evidence keep a filter on its way; its claims are weakened further.
package struct FloorExponents: Equatable, Sendable {
  /// The exponents of the likelihood of packets and of levels received in a second.
  package var reception = 0.3
  package var levels = 0.25
  /// The exponents of the probabilities from which the answers of single windows, of filters, and of
  /// smoothers claim floors and ellipses.
  package var window = 0.85
  package var filter = 0.55
  package var smoother = 0.45

  /// Creates the exponents of a survey in which beacons are received every few metres.
  package init() {}
}

extension FloorExponents {
  /// The smallest number of recordings of which some are left out, and the number left out.
  private static let (fewest, leftOut) = (16, 24)
  /// The factors of the evidence that are tried, as long as each is better than the one before.
  private static let strengths = [1, 1.6, 2.5, 4, 6.3]
  fileprivate static let claims = [0.3, 0.375, 0.45, 0.55, 0.7, 0.85, 1]

  /// Chooses the exponents with which walks of a survey that are left out of its map are located
  /// best: those of the highest mean log score, unless the usual ones are as good within a standard
  /// error over walks.
  ///
  /// The score is the logarithm of the probability claimed for the cell with the truth, which is
  /// strictly proper (Gneiting and Raftery 2007). With fewer than 16 recordings they are the usual
  /// ones.
  init(
    learnedIn building: Building, _ survey: [SurveyPoint], anchors: Int, _ variation: LevelVariation
  ) {
    self.init()
    let recordings = Set(survey.map(\.trace)).sorted()
    guard recordings.count >= Self.fewest else { return }
    let step = max(4, recordings.count / Self.leftOut)
    let chosen = stride(from: step / 2, to: recordings.count, by: step).map { recordings[$0] }
    let left = Set(chosen)
    guard
      let map = BuildingMap(
        building, survey: survey.filter { !left.contains($0.trace) }, anchors: anchors,
        variation: variation)
    else { return }
    let points = Dictionary(grouping: survey.lazy.filter { left.contains($0.trace) }, by: \.trace)
    let walks = chosen.compactMap { points[$0].flatMap { SurveyedWalk($0, on: map.cells) } }
    guard walks.count > 2 else { return }
    let motion = FloorMotion(on: map)
    func scores(
      _ map: BuildingMap, _ score: @escaping @Sendable (SurveyedWalk, BuildingMap) -> [Double]
    ) -> [[Double]] { parallel(walks.count) { score(walks[$0], map) } }
    var best = map
    var usual: [[Double]] = []
    var gain = 0.0
    for strength in Self.strengths {
      var trial = map
      trial.exponents.reception *= strength
      trial.exponents.levels *= strength
      let filters = scores(trial) { $0.scoresOfFilter(on: $1, motion) }
      if usual.isEmpty { usual = filters }
      guard let found = Self.best(filters, beside: usual, usual: filter), found.gain > gain else {
        if strength == 1 { continue }
        break
      }
      (gain, best) = (found.gain, trial)
      best.exponents.filter = found.claim
    }
    func claim(_ scores: [[Double]], usual: Double) -> Double {
      Self.best(scores, beside: scores, usual: usual)?.claim ?? usual
    }
    smoother = claim(scores(best) { $0.scoresOfSmoother(on: $1, motion) }, usual: smoother)
    window = claim(scores(best) { $0.scoresOfWindows(on: $1) }, usual: window)
    (reception, levels) = (best.exponents.reception, best.exponents.levels)
    filter = best.exponents.filter
  }

  /// Returns the exponent of claims with the highest mean score over walks, or `nil` if none is
  /// better than the usual one by more than a standard error.
  ///
  /// - Parameters:
  ///   - scores: By walk and exponent.
  ///   - reference: The same with the usual evidence.
  private static func best(
    _ scores: [[Double]], beside reference: [[Double]], usual: Double
  ) -> (claim: Double, gain: Double)? {
    guard let usual = claims.firstIndex(of: usual) else { return nil }
    let found = claims.indices.map { claim in
      let gains = zip(scores, reference).map { $0[claim] - $1[usual] }
      let mean = gains.reduce(0, +) / Double(gains.count)
      let squares = gains.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
      let error = (squares / Double(gains.count * (gains.count - 1))).squareRoot()
      return (claim: claims[claim], gain: mean > error ? mean : -.infinity)
    }
    return found.max { $0.gain < $1.gain }.flatMap { $0.gain > 0 ? $0 : nil }
  }
}

/// A walk of a survey, as the scans of a target whose places are known.
private struct SurveyedWalk: Sendable {
  private var scans: [Scan] = []
  /// The cells with the truth at the middle of each scan.
  private var truths: [Int] = []

  init?(_ points: [SurveyPoint], on cells: FloorCells) {
    var start: Int64 = 0
    for point in points {
      let duration = Int64(min(max(point.seconds, 0.1), 3600) * 1e9)
      defer { start += duration }
      guard cells.lattices.indices.contains(point.floor),
        let cell = cells.cell(at: point.stretch?.centre ?? point.place, on: point.floor)
      else { continue }
      let middle = start + duration / 2
      var scan = Scan(
        instant: start + duration, asked: middle, start: start,
        observations: point.levels.map {
          Observation(.unknown, number: $0.anchor, rssi: $0.rssi, packets: $0.packets)
        })
      scan.readings = point.levels.map { level in
        var level = level
        level.time = middle
        return level
      }
      scans.append(scan)
      truths.append(cell)
    }
    if scans.isEmpty { return nil }
  }

  /// Returns the mean log scores by exponent of claims, of the answers to single windows.
  func scoresOfWindows(on map: BuildingMap) -> [Double] {
    mean(scans.indices.map { score(map.belief(scans[$0]), $0, on: map) })
  }

  /// Returns the same of a filter.
  func scoresOfFilter(on map: BuildingMap, _ motion: FloorMotion) -> [Double] {
    var track = FloorTrack(on: map, motion, lag: 0)
    return mean(scans.indices.map { score(track.belief(scans[$0]), $0, on: map) })
  }

  /// Returns the same of a smoother.
  func scoresOfSmoother(
    on map: BuildingMap, _ motion: FloorMotion
  ) -> [Double] {
    var scores: [[Double]] = []
    FloorSmoother(on: map, motion).forEachBelief(scans) {
      scores.append(score($1, $0, on: map))
    }
    return mean(scores)
  }

  private func score(_ weights: [Float]?, _ number: Int, on map: BuildingMap) -> [Double] {
    let truth = truths[number]
    let largest = weights?.max() ?? 0
    let logs = (weights ?? []).lazy.filter { $0 > 0 }.map { Float.log($0 / largest) }
    let own = weights.map { Float.log($0[truth] / largest) } ?? -.infinity
    return FloorExponents.claims.map { exponent in
      let total = logs.reduce(0) { $0 + Float.exp(Float(exponent) * $1) }
      let share = total > 0 ? Double(Float.exp(Float(exponent) * own) / total) : 0
      let doubt = FloorBelief.doubt
      return Double.log(max((1 - doubt) * share + doubt * Double(map.prior[truth]), 1e-9))
    }
  }

  private func mean(_ scores: [[Double]]) -> [Double] {
    var sums = [Double](repeating: 0, count: scores.first?.count ?? 0)
    for score in scores { for index in score.indices { sums[index] += score[index] } }
    return sums.map { $0 / Double(scores.count) }
  }
}
