import Geometry
import RealModule

/// The search rectangles for a batch of scans, with the trees that the scans share.
///
/// Scans of a site's anchors share one tree per size of the rectangle. Any other scan has its own
/// tree, which the next scan of the same anchors reuses. The rectangle is the bounds, or that of
/// the rooms, or else the anchors' bounding box padded by its longer side, doubled until it is
/// twice the nearest anchor's range: farther away, all anchors lie in nearly the same direction and
/// carry little information about the place, and twice the range allows the nearest anchor an error
/// of 6 dB at exponent 2.
struct LikelihoodSite {
  /// A rectangle with its tree, whose origin is the rectangle's centre.
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
  /// The bounds or the rooms' rectangle; `nil` if the anchors determine the rectangle.
  let bounds: SearchBox?
  private var shared: [Int: Ground] = [:]
  private var own: (places: [PlaneTree.Place], box: SearchBox, ground: Ground)?

  /// The largest number of anchors for a shared tree: each block of more would cost more than it
  /// saves.
  private static let mostShared = 32

  init(_ surroundings: Surroundings) {
    self.surroundings = surroundings
    bounds = SearchBox(knownIn: surroundings)
  }

  /// Calls a closure with the rectangle of a scan, and passes true if the tree holds the site's
  /// anchors or only those of the observations.
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

  /// Returns the rectangle in which the places of a scan are searched.
  func box(of observations: [Observation], nearestRange: Double) -> SearchBox {
    if isOfSite(observations) {
      let places = surroundings.anchors.lazy.map(\.place)
      return box(around: places, doublings(over: places, nearestRange))
    }
    let places = observations.lazy.map(\.anchor)
    return box(around: places, doublings(over: places, nearestRange))
  }

  /// Returns the range of heights to search: that of the bounds, or else from 3 m below the lowest
  /// anchor to 3 m above the highest.
  func heights(of observations: [Observation]) -> ClosedRange<Double> {
    if let heights = surroundings.searchBounds?.heights { return heights }
    let anchors =
      isOfSite(observations)
      ? surroundings.anchors.map(\.heightDifference) : observations.map(\.heightDifference)
    return (anchors.min() ?? 0) - 3...(anchors.max() ?? 0) + 3
  }

  /// Returns a Boolean value that is true if the observations are of all the surroundings' anchors.
  private func isOfSite(_ observations: [Observation]) -> Bool {
    let anchors = surroundings.anchors
    return observations.allSatisfy {
      anchors.indices.contains($0.number) && anchors[$0.number].place == $0.anchor
        && anchors[$0.number].heightDifference == $0.heightDifference
    }
  }

  private func doublings(over anchors: some Collection<Point>, _ nearestRange: Double) -> Int {
    bounds == nil ? SearchBox.doublings(over: anchors, nearestRange: nearestRange) : 0
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
