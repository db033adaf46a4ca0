import Geometry
import RealModule

/// Where a batch of scans looks for the most likely places, with the trees that they share.
///
/// Scans of a site's anchors share one tree for each size of the rectangle; any other scan has its
/// own, which serves the next one of the same anchors. The rectangle is the bounds, or the rooms'
/// where there are rooms, or else the anchors' bounding box padded by its longer side, doubled
/// until it is twice the nearest anchor's range: so far away all anchors lie in nearly the same
/// direction and show little about the place, and twice the range leaves the nearest anchor an
/// error of 6 dB at exponent 2.
struct LikelihoodSite {
  /// A rectangle and its tree. The tree's origin is the rectangle's middle.
  struct Ground {
    let origin: Point
    let box: SearchBox
    var tree: PlaneTree

    init(_ box: SearchBox, around anchors: some Collection<PlaneTree.Place>) {
      let middle = Point(
        x: (box.minimum.x + box.maximum.x) / 2, y: (box.minimum.y + box.maximum.y) / 2)
      let half = Point(x: box.maximum.x - middle.x, y: box.maximum.y - middle.y)
      origin = middle
      self.box = SearchBox(minimum: Point(x: -half.x, y: -half.y), maximum: half)
      tree = PlaneTree(
        anchors: anchors.map {
          PlaneTree.Place(x: $0.x - middle.x, y: $0.y - middle.y, squaredHeight: $0.squaredHeight)
        }, halfWidth: half.x, halfDepth: half.y)
    }
  }

  private let surroundings: Surroundings
  /// The bounds or the rooms' rectangle; nil where the anchors decide.
  private let bounds: SearchBox?
  private var shared: [Int: Ground] = [:]
  private var own: (places: [PlaneTree.Place], box: SearchBox, ground: Ground)?

  /// A site of more anchors has no common tree: each of its blocks would cost more than it saves.
  private static let mostShared = 32

  init(_ surroundings: Surroundings) {
    self.surroundings = surroundings
    bounds =
      if surroundings.bounds != nil || !surroundings.rooms.isEmpty,
        let bounds = surroundings.searchBounds
      {
        SearchBox(minimum: bounds.minimum, maximum: bounds.maximum)
      } else {
        nil
      }
  }

  /// Does something with the ground of a scan, and shows whether its tree has the site's anchors,
  /// or else the observations'.
  mutating func withGround<Result>(
    of observations: [Observation], nearestRange: Double,
    _ body: (inout Ground, _ isShared: Bool) -> Result
  ) -> Result {
    if isOfSite(observations), surroundings.anchors.count <= Self.mostShared {
      let anchors = surroundings.anchors
      let doublings = doublings(over: anchors.lazy.map(\.place), nearestRange)
      if shared[doublings] == nil {
        shared[doublings] = Ground(
          box(around: anchors.lazy.map(\.place), doublings),
          around: anchors.map { PlaneTree.Place($0.place, height: $0.heightDifference) })
      }
      return body(&shared[doublings]!, true)
    }
    let box = box(of: observations, nearestRange: nearestRange)
    let places = observations.map { PlaneTree.Place($0.anchor, height: $0.heightDifference) }
    if own?.places != places || own?.box != box {
      own = (places, box, Ground(box, around: places))
    }
    return body(&own!.ground, false)
  }

  /// Where the places of a scan are looked for.
  func box(of observations: [Observation], nearestRange: Double) -> SearchBox {
    if isOfSite(observations) {
      let places = surroundings.anchors.lazy.map(\.place)
      return box(around: places, doublings(over: places, nearestRange))
    }
    let places = observations.lazy.map(\.anchor)
    return box(around: places, doublings(over: places, nearestRange))
  }

  /// Between which heights a target is looked for: the bounds', or else from 3 m below the lowest
  /// anchor to 3 m above the highest.
  func heights(of observations: [Observation]) -> ClosedRange<Double> {
    if let heights = surroundings.searchBounds?.heights { return heights }
    let anchors =
      isOfSite(observations)
      ? surroundings.anchors.map(\.heightDifference) : observations.map(\.heightDifference)
    return (anchors.min() ?? 0) - 3...(anchors.max() ?? 0) + 3
  }

  /// Returns whether the observations are all of the surroundings' anchors.
  private func isOfSite(_ observations: [Observation]) -> Bool {
    let anchors = surroundings.anchors
    return observations.allSatisfy {
      anchors.indices.contains($0.number) && anchors[$0.number].place == $0.anchor
        && anchors[$0.number].heightDifference == $0.heightDifference
    }
  }

  /// How often the padding is doubled.
  private func doublings(over anchors: some Collection<Point>, _ nearestRange: Double) -> Int {
    guard bounds == nil, let box = Bounds(around: anchors) else { return 0 }
    var padding = max(box.maximum.x - box.minimum.x, box.maximum.y - box.minimum.y)
    var doublings = 0
    // A range that is half the padding but for rounding doubles nothing.
    while padding * (1 + 1e-9) < 2 * nearestRange, doublings < 200 {
      padding *= 2
      doublings += 1
    }
    return doublings
  }

  private func box(around anchors: some Collection<Point>, _ doublings: Int) -> SearchBox {
    bounds ?? SearchBox(around: anchors, doublings: doublings)
  }
}

extension PlaneTree.Place {
  init(_ place: Point, height: Double) {
    self.init(x: place.x, y: place.y, squaredHeight: height * height)
  }
}
