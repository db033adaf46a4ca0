package import Geometry
import RealModule

/// How the mean level of each anchor differs from its path-loss curve from place to place, learned
/// from a survey.
///
/// One Gaussian process an anchor, all with one ``LevelVariation``, about the path-loss curve: far
/// from the survey it shows what the curve and the anchor's own offset state, with the whole
/// variance.
package struct RadioMap: Sendable {
  /// What was learned of the levels' variation.
  package let variation: LevelVariation
  /// How many levels of the survey were left out, as no number of an anchor or no level.
  package let ignored: Int
  /// The packets behind the level of an ordinary survey point: the median.
  package let packets: Double
  /// The variance in dB² that levels of all anchors at one place have in common; a part of those of
  /// the recording and the place.
  package let commonVariance: Double
  /// By how much the variance of a position is larger than independent errors of the anchors would
  /// have it, at least 1.
  package let dispersion: Double
  /// How many packets of a place are received.
  let reception: SurveyedReception
  /// The anchors that the survey heard.
  let surveyed: [Int]
  private let fields: [ResidualField]
  private let lattices: [ShadowingLattice]
  private let typicalVariances: [Double]

  /// Fewer levels than this make no map.
  package static let fewestLevels = 3
  /// The most places an anchor in the regression, and in the search for the variation.
  static let mostPlaces = 256
  static let mostPlacesOfSearch = 80
  /// In the search, of all anchors together, where that leaves each some: more would add time and
  /// little else.
  static let mostLevelsOfSearch = 1000

  /// What is learned does not depend on how anchors are numbered, to the last bit: the survey of a
  /// file gives the same map among the anchors of any recording.
  ///
  /// - Parameters:
  ///   - survey: what was heard at known places.
  ///   - anchors: the anchors that the survey's levels number.
  ///   - variation: to be used as it is; nil = to be learned.
  /// - Returns: nil where fewer than three levels can be used.
  package init?(survey: [SurveyPoint], anchors: [Anchor], variation: LevelVariation? = nil) {
    var levels = [[SurveyedLevel]](repeating: [], count: anchors.count)
    var ignored = 0
    for point in survey {
      for level in point.levels {
        guard anchors.indices.contains(level.anchor), level.packets > 0, level.rssi.isFinite,
          abs(point.place.x) <= Circle.longest, abs(point.place.y) <= Circle.longest
        else {
          ignored += 1
          continue
        }
        let expected = anchors[level.anchor].expectedLevel(
          at: point.place, height: point.height ?? 0)
        guard expected.isFinite else {
          ignored += 1
          continue
        }
        levels[level.anchor].append(
          SurveyedLevel(
            place: point.place, residual: level.rssi - expected, packets: Double(level.packets),
            recording: point.trace))
      }
    }
    let counts = levels.joined().map(\.packets).sorted()
    guard counts.count >= Self.fewestLevels else { return nil }
    levels = levels.map { $0.thinned(to: Self.mostPlaces) }
    // Sums over anchors round differently in another order.
    let order = levels.indices.sorted { levels[$0].precedes(levels[$1]) }
    let variation =
      variation
      ?? VariationEvidence(
        levels: order.map { levels[$0].sampled(Self.placesOfSearch(levels)) }
      ).mostLikely()
    var fields: [ResidualField] = []
    for levels in levels {
      guard let field = ResidualField(levels, variation) else { return nil }
      fields.append(field)
    }
    let shared = SharedPlaces(levels)
    guard let empty = ShadowingLattice(around: shared.places, length: variation.length) else {
      return nil
    }
    let lattices = Self.lattices(like: empty, of: fields, shared, variation)
    let heard = order.filter { !levels[$0].isEmpty }
    surveyed = heard
    reception = SurveyedReception(survey, anchors, order: heard) {
      lattices[$0].shadowing(at: $1)
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

  /// What is to be added to the path-loss curve of an anchor at a place, in dB, with the standard
  /// deviation of the level of an epoch about the sum.
  ///
  /// The deviation has all parts of ``LevelVariation`` in it, for a level of as many packets as
  /// those of the survey have; the recording is a new one. O(n²) for n surveyed places of the
  /// anchor, at most 256.
  package func correction(anchor: Int, at place: Point) -> (offset: Double, sigma: Double) {
    let (offset, variance) = shadowing(anchor: anchor, at: place)
    let packet = variation.packetNoise * variation.packetNoise / packets
    return (offset, (variance + packet).squareRoot())
  }

  /// ``correction(anchor:at:)`` at many places.
  package func corrections(anchor: Int, at places: [Point]) -> [(offset: Double, sigma: Double)] {
    places.map { correction(anchor: anchor, at: $0) }
  }

  /// The offset from the curve in dB, and the variance in dB² of what packets of one place share.
  func shadowing(anchor: Int, at place: Point) -> (offset: Double, variance: Double) {
    Self.shadowing(fields[anchor], variation, at: place)
  }

  /// The variance in dB² of ``shadowing(anchor:at:)`` at an ordinary place: the median about the
  /// survey, whatever the search area is.
  func typicalVariance(anchor: Int) -> Double { typicalVariances[anchor] }

  private static func shadowing(
    _ field: ResidualField, _ variation: LevelVariation, at place: Point
  ) -> (offset: Double, variance: Double) {
    let (mean, variance) = field.prediction(at: place)
    return (mean, variance + variation.noiseOfPlaces)
  }

  /// The lattices of all anchors; what a node has in common with a surveyed place is the same for
  /// all anchors that were received there.
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

  /// What ``interpolatedShadowing(anchor:at:)`` reads.
  func lattice(of anchor: Int) -> ShadowingLattice { lattices[anchor] }

  /// ``shadowing(anchor:at:)`` with the standard deviation, from a lattice: in constant time, and
  /// right to a small part of the deviation.
  func interpolatedShadowing(anchor: Int, at place: Point) -> (offset: Double, deviation: Double) {
    lattices[anchor].shadowing(at: place)
  }
}

/// The places of a survey, each once, and which of them each level of each anchor is from.
struct SharedPlaces {
  private(set) var places: [Point] = []
  /// By anchor and level.
  private(set) var numbers: [[Int]] = []

  /// - Parameter levels: of each anchor.
  init(_ levels: [[SurveyedLevel]]) {
    struct Place: Hashable { var x, y: Double }
    var known: [Place: Int] = [:]
    numbers = levels.map { levels in
      levels.map { level in
        let place = Place(x: level.place.x, y: level.place.y)
        if let number = known[place] { return number }
        known[place] = places.count
        places.append(level.place)
        return places.count - 1
      }
    }
  }
}
