package import Geometry
import NumericalMethods
import RealModule
import Support

/// The places, powers and exponents of beacons that a survey heard, whose places need not be known.
///
/// A beacon is a fixed node of either role: receivers that hear a surveyed tag are placed alike. The
/// hyper-parameters are those of the highest marginal likelihood of all beacons together. Their
/// uncertainty adds to that of each beacon (Kass and Steffey, "Approximate Bayesian inference in
/// conditionally independent hierarchical models", 1989, section 3). On another floor than its own a
/// beacon has an apparent place, because its signal comes through stairs and slabs.
package struct BeaconPlaces: Sendable {
  /// The hyper-parameters.
  package let model: PlaceModel
  /// The beacons that were heard, in order.
  package let beacons: [PlacedBeacon]
  /// The logarithm of the likelihood ratio above which a known place contradicts the survey.
  package let threshold: Double

  /// The settings of the estimate.
  package struct Settings: Sendable {
    /// The number of anchors that the levels refer to.
    package var anchors: Int
    /// The places that are written down, by anchor; empty if there are none.
    package var known: [Point?] = []
    /// The origin of each floor's coordinates in those of the building, nil if unknown.
    package var shifts: [Point?] = []
    /// The standard deviation along the longer axis up to which a beacon is placed, in metres.
    package var largestDeviation = 5.0
    /// The probability that the check of known places names any anchor in its place.
    package var falseAlarms = 0.05

    package init(anchors: Int) { self.anchors = anchors }

    fileprivate func known(of anchor: Int) -> Point? {
      known.indices.contains(anchor) ? known[anchor] : nil
    }
  }

  /// The smallest number of levels for a place.
  package static let fewestLevels = 8
  /// The largest number of levels of a beacon on a floor, and the largest number of cells.
  private static let (mostLevels, mostCells) = (200, 10_000.0)
  /// The distance from the strongest levels within which a beacon is looked for, in metres.
  private static let reach = 40.0
  /// The probability of other modes from which a place is ambiguous.
  private static let ambiguous = 0.05
  /// The logarithm of the Bayes factor from which a beacon moves: a fixed one exceeds a factor of
  /// 1000 in at most 0.1 % of all surveys.
  private static let movement = Double.log(1000)
  /// The median distance in metres by which beacons of a shopping mall appear aside on other floors.
  private static let apparentShift = 10.0
  /// The power for which detectable displacements are computed.
  private static let detection = 0.8

  /// The levels of a beacon on a floor.
  private struct Heard: Sendable {
    /// The levels of the first and of the second half of the recordings.
    var (first, second): ([SurveyedLevel], [SurveyedLevel])
    var packets: Int
    /// The area in which the beacon may be.
    var area: Bounds

    var levels: [SurveyedLevel] { first + second }

    init(_ levels: [SurveyedLevel], surveyed: Bounds) {
      let middle = levels[levels.count / 2].recording
      var split = levels.firstIndex { $0.recording == middle } ?? 0
      // A single recording is divided in its middle.
      if split == 0 { split = levels.count / 2 }
      first = Array(levels[..<split]).thinned(to: mostLevels / 2)
      second = Array(levels[split...]).thinned(to: mostLevels / 2)
      packets = Int(levels.reduce(0) { $0 + $1.packets })
      area = levels.area(within: surveyed, reach: reach)
    }
  }

  /// Places the beacons.
  ///
  /// Cubic in the levels of a beacon on a floor, at most 200, and linear in the beacons; on all
  /// cores.
  ///
  /// - Parameters:
  ///   - survey: The levels at known places, in order of time.
  ///   - model: The hyper-parameters; nil to learn them.
  package init(survey: [SurveyPoint], _ settings: Settings, model: PlaceModel? = nil) {
    let heard = Self.heard(survey, settings.anchors)
    let main = heard.map { floors in
      floors.max { ($0.value.packets, $1.key) < ($1.value.packets, $0.key) }
    }
    let learned =
      model.map { LearnedPlaceModel(mostLikely: $0) }
      ?? PlaceEvidence(
        main.compactMap(\.self).filter { $0.value.levels.count >= Self.fewestLevels }
          .map { ($0.value.levels, $0.value.area) }
      ).learned()
    let model = learned.mostLikely
    self.model = model
    let checked = main.indices.count { main[$0] != nil && settings.known(of: $0) != nil }
    let threshold = KnownPlace.threshold(anchors: checked, falseAlarms: settings.falseAlarms)
    self.threshold = threshold
    beacons = parallel(settings.anchors) { number -> PlacedBeacon? in
      guard let (floor, own) = main[number] else { return nil }
      var beacon = PlacedBeacon(anchor: number, packets: own.packets, verdict: .fewReadings)
      guard own.levels.count >= Self.fewestLevels,
        let likelihood = PlaceLikelihood(own.levels, model)
      else { return beacon }
      let lattice = CellGrid(over: own.area, atMost: Self.mostCells, smallest: 0.25)
      let posterior = PlacePosterior(likelihood, on: lattice)
      var place = PlacedBeacon.Place(likelihood, posterior, on: floor)
      place.widen(by: learned, own.levels, posterior)
      beacon.place = place
      beacon.verdict = Self.verdict(own, posterior, place, model, settings)
      if let known = settings.known(of: number) {
        let there = likelihood.logLikelihood(at: [known])[0]
        beacon.known = KnownPlace(
          place: known, logRatio: max((posterior.logarithms.max() ?? there) - there, 0),
          detectable: posterior.displacement(found: Self.detection, at: threshold))
      }
      beacon.apparent = heard[number].sorted { $0.key < $1.key }.filter { $0.key != floor }
        .compactMap { Self.apparent($1, on: $0, of: place, model, settings.shifts) }
      return beacon
    }.compactMap(\.self)
  }

  /// Returns the levels of each anchor by floor.
  private static func heard(_ survey: [SurveyPoint], _ anchors: Int) -> [[Int: Heard]] {
    var levels = [[Int: [SurveyedLevel]]](repeating: [:], count: anchors)
    var places: [Int: [Point]] = [:]
    for point in survey {
      var stretch = point.stretch ?? Stretch(centre: point.place)
      guard stretch.isOnEarth else { continue }
      // Along less than a metre, a curve is straight.
      if Double.hypot(stretch.reach.x, stretch.reach.y) < 0.5 {
        stretch = Stretch(centre: stretch.centre)
      }
      places[point.floor, default: []].append(point.place)
      for level in point.levels
      where levels.indices.contains(level.anchor) && level.packets > 0 && level.rssi.isFinite {
        levels[level.anchor][point.floor, default: []].append(
          SurveyedLevel(
            stretch: stretch, residual: level.rssi, packets: Double(level.packets),
            recording: point.trace))
      }
    }
    let areas = places.compactMapValues { Bounds(around: $0) }
    return levels.map { floors in
      Dictionary(
        uniqueKeysWithValues: floors.compactMap { floor, levels in
          areas[floor].map { (floor, Heard(levels, surveyed: $0)) }
        })
    }
  }

  private static func verdict(
    _ heard: Heard, _ posterior: PlacePosterior, _ place: PlacedBeacon.Place, _ model: PlaceModel,
    _ settings: Settings
  ) -> PlacedBeacon.Verdict {
    if min(heard.first.count, heard.second.count) >= fewestLevels / 2,
      let first = PlaceLikelihood(heard.first, model),
      let second = PlaceLikelihood(heard.second, model),
      PlacePosterior(first, on: posterior.lattice).evidence
        + PlacePosterior(second, on: posterior.lattice).evidence - posterior.evidence > movement
    {
      return .moves
    }
    if place.elsewhere >= ambiguous { return .twoModes }
    guard let ellipse = place.ellipse, ellipse.semiMajor <= settings.largestDeviation else {
      return .uncertain
    }
    return .placed
  }

  /// Returns the apparent place of a beacon on another floor.
  private static func apparent(
    _ heard: Heard, on floor: Int, of main: PlacedBeacon.Place, _ model: PlaceModel,
    _ shifts: [Point?]
  ) -> PlacedBeacon.Place? {
    let model = model.throughSlab(power: main.power.mean, deviation: main.power.deviation)
    guard let likelihood = PlaceLikelihood(heard.levels, model) else { return nil }
    var area = heard.area
    var prior: ((Point) -> Double)?
    if [floor, main.floor].allSatisfy(shifts.indices.contains), let own = shifts[main.floor],
      let other = shifts[floor]
    {
      let middle = Point(x: main.mean.x + own.x - other.x, y: main.mean.y + own.y - other.y)
      var spread = main.covariance
      spread.xx += apparentShift * apparentShift
      spread.yy += apparentShift * apparentShift
      prior = { -0.5 * spread.squaredScore($0.x - middle.x, $0.y - middle.y) }
      area = Bounds(
        minimum: Point(x: middle.x - 30, y: middle.y - 30),
        maximum: Point(x: middle.x + 30, y: middle.y + 30))
    }
    let lattice = CellGrid(over: area, atMost: mostCells / 4, smallest: 0.5)
    return PlacedBeacon.Place(
      likelihood, PlacePosterior(likelihood, on: lattice, prior: prior), on: floor)
  }
}

extension [SurveyedLevel] {
  /// Returns the area in which the sender may be: that of the survey with a margin of a quarter of
  /// its diagonal, near the strongest levels.
  fileprivate func area(within surveyed: Bounds, reach: Double) -> Bounds {
    let strongest = self.max { $0.residual < $1.residual }?.residual ?? 0
    var (x, y, total) = (0.0, 0.0, 0.0)
    for level in self {
      let weight = Double.exp((level.residual - strongest) / 8)
      x += weight * level.place.x
      y += weight * level.place.y
      total += weight
    }
    let (low, high) = (surveyed.minimum, surveyed.maximum)
    let margin = Swift.max(0.25 * low.distance(to: high), 5)
    return Bounds(
      minimum: Point(
        x: Swift.max(low.x - margin, x / total - reach),
        y: Swift.max(low.y - margin, y / total - reach)),
      maximum: Point(
        x: Swift.min(high.x + margin, x / total + reach),
        y: Swift.min(high.y + margin, y / total + reach)))
  }
}
