package import Geometry
import RealModule

/// A map of the difference of each anchor's mean level from its path-loss curve, learned from a
/// survey.
///
/// There is one Gaussian process per anchor about its path-loss curve, all with one
/// ``LevelVariation``. Far from the survey the map returns the curve with the anchor's own offset
/// and the full variance.
package struct RadioMap: Sendable {
  /// The learned variation of the levels.
  package let variation: LevelVariation
  /// The number of levels of the survey that were ignored because the anchor or the level is
  /// invalid.
  package let ignored: Int
  /// The median number of packets per level of the survey.
  package let packets: Double
  /// The variance in dB² that levels of all anchors at one place share; a part of those of the
  /// recording and the place.
  package let commonVariance: Double
  /// The overdispersion of positions, at least 1: the variance of a position relative to that of
  /// independent errors of the anchors.
  package let dispersion: Double
  /// The dependence of reception on the level.
  let reception: SurveyedReception
  /// The anchors that the survey received.
  let surveyed: [Int]
  private let fields: [ResidualField]
  private let lattices: [ShadowingLattice]
  private let typicalVariances: [Double]

  /// The smallest number of levels for a map.
  package static let fewestLevels = 3
  /// The largest number of places per anchor in the regression, and in the search for the
  /// variation.
  static let mostPlaces = 256
  static let mostPlacesOfSearch = 80
  /// The largest number of levels of all anchors in the search; more add time and little else.
  static let mostLevelsOfSearch = 1000

  /// Learns a map from a survey, or returns `nil` if fewer than three levels are usable.
  ///
  /// The result does not depend on the numbering of anchors, to the last bit: the survey of a file
  /// gives the same map among the anchors of any recording.
  ///
  /// - Parameters:
  ///   - survey: The levels at known places.
  ///   - anchors: The anchors that the survey's levels refer to.
  ///   - variation: The variation to use as it is; `nil` to learn it.
  package init?(survey: [SurveyPoint], anchors: [Anchor], variation: LevelVariation? = nil) {
    var levels = [[SurveyedLevel]](repeating: [], count: anchors.count)
    var ignored = 0
    for point in survey {
      for level in point.levels {
        let stretch = point.stretch ?? Stretch(centre: point.place)
        guard anchors.indices.contains(level.anchor), level.packets > 0, level.rssi.isFinite,
          stretch.isOnEarth
        else {
          ignored += 1
          continue
        }
        let expected = stretch.mean {
          anchors[level.anchor].expectedLevel(at: $0, height: point.height ?? 0)
        }
        guard expected.isFinite else {
          ignored += 1
          continue
        }
        levels[level.anchor].append(
          SurveyedLevel(
            stretch: stretch, residual: level.rssi - expected, packets: Double(level.packets),
            recording: point.trace))
      }
    }
    let counts = levels.joined().map(\.packets).sorted()
    guard counts.count >= Self.fewestLevels else { return nil }
    levels = levels.map { $0.thinned(to: Self.mostPlaces) }
    // Sums over anchors in another order would round differently.
    let order = levels.indices.sorted { levels[$0].precedes(levels[$1]) }
    let given = variation
    var variation =
      given
      ?? VariationEvidence(
        levels: order.map { levels[$0].sampled(Self.placesOfSearch(levels)) }
      ).mostLikely()
    var fields: [ResidualField] = []
    for levels in levels {
      guard let field = ResidualField(levels, variation) else { return nil }
      fields.append(field)
    }
    let shared = SharedPlaces(levels)
    guard
      let empty = ShadowingLattice(
        around: shared.places.lazy.map(\.centre), length: variation.length)
    else {
      return nil
    }
    let lattices = Self.lattices(like: empty, of: fields, shared, variation)
    let heard = order.filter { !levels[$0].isEmpty }
    surveyed = heard
    reception = SurveyedReception(survey, anchors, order: heard) {
      lattices[$0].shadowing(at: $1)
    }
    if given == nil {
      variation.near = NearVariation(survey, anchors, order: heard, variation) {
        lattices[$0].shadowing(at: $1).offset
      }
    }
    self.lattices = lattices
    typicalVariances = lattices.map(\.typicalVariance)
    self.fields = fields
    let stays = SurveyedStays(
      order.map { levels[$0] }, order.map { fields[$0] }, order.map { anchors[$0] })
    commonVariance = min(stays.commonVariance, variation.noiseOfPlaces)
    dispersion = stays.dispersion(besides: commonVariance)
    self.variation = variation
    self.ignored = ignored
    packets = counts[counts.count / 2]
  }

  private static func placesOfSearch(_ levels: [[SurveyedLevel]]) -> Int {
    let anchors = levels.count { !$0.isEmpty }
    return min(mostPlacesOfSearch, max(20, mostLevelsOfSearch / max(anchors, 1)))
  }

  /// Returns the correction to the path-loss curve of an anchor at a place, in dB, with the
  /// standard deviation of the level of an epoch about the corrected curve.
  ///
  /// The standard deviation includes all components of ``LevelVariation`` in a new recording, for a
  /// level with as many packets as those of the survey. O(n²) for n surveyed places of the anchor,
  /// at most 256.
  package func correction(anchor: Int, at place: Point) -> (offset: Double, sigma: Double) {
    let (offset, variance) = shadowing(anchor: anchor, at: place)
    let packet = variation.packetNoise * variation.packetNoise / packets
    return (offset, (variance + packet).squareRoot())
  }

  /// Returns ``correction(anchor:at:)`` at many places.
  package func corrections(anchor: Int, at places: [Point]) -> [(offset: Double, sigma: Double)] {
    places.map { correction(anchor: anchor, at: $0) }
  }

  /// Returns the correction to the curve in dB, with the variance in dB² that packets of one place
  /// share.
  func shadowing(anchor: Int, at place: Point) -> (offset: Double, variance: Double) {
    Self.shadowing(fields[anchor], variation, at: place)
  }

  /// Returns the variance in dB² of ``shadowing(anchor:at:)`` at a typical place: the median around
  /// the survey, independent of the search area.
  func typicalVariance(anchor: Int) -> Double { typicalVariances[anchor] }

  private static func shadowing(
    _ field: ResidualField, _ variation: LevelVariation, at place: Point
  ) -> (offset: Double, variance: Double) {
    let (mean, variance) = field.prediction(at: place)
    return (mean, variance + variation.noiseOfPlaces)
  }

  /// Returns the lattices of all anchors; the covariances between a node and the surveyed places
  /// are shared by all anchors that were received there.
  private static func lattices(
    like empty: ShadowingLattice, of fields: [ResidualField], _ shared: SharedPlaces,
    _ variation: LevelVariation
  ) -> [ShadowingLattice] {
    var lattices = fields.map { _ in empty }
    var covariances = [Double](repeating: 0, count: shared.places.count)
    for node in empty.places {
      for (number, place) in shared.places.enumerated() {
        covariances[number] = variation.covariance(node, place)
      }
      for (anchor, field) in fields.enumerated() {
        let numbers = shared.numbers[anchor]
        let (mean, variance) = field.prediction { covariances[numbers[$0]] }
        lattices[anchor].append(offset: mean, variance: variance + variation.noiseOfPlaces)
      }
    }
    return lattices
  }

  /// Returns the lattice behind ``interpolatedShadowing(anchor:at:)``.
  func lattice(of anchor: Int) -> ShadowingLattice { lattices[anchor] }

  /// Returns ``shadowing(anchor:at:)`` with the standard deviation from a lattice: in constant
  /// time, with an error that is small against the standard deviation.
  func interpolatedShadowing(anchor: Int, at place: Point) -> (offset: Double, deviation: Double) {
    lattices[anchor].shadowing(at: place)
  }
}

/// The distinct stretches of a survey, and the stretch of each level of each anchor.
struct SharedPlaces {
  private(set) var places: [Stretch] = []
  /// The indices of the stretches, by anchor and level.
  private(set) var numbers: [[Int]] = []

  /// - Parameter levels: The levels of each anchor.
  init(_ levels: [[SurveyedLevel]]) {
    var known: [Stretch: Int] = [:]
    numbers = levels.map { levels in
      levels.map { level in
        if let number = known[level.stretch] { return number }
        known[level.stretch] = places.count
        places.append(level.stretch)
        return places.count - 1
      }
    }
  }
}
