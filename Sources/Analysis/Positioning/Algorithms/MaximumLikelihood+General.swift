import Geometry

extension MaximumLikelihood {
  /// How far a device's offset is looked for either way, in dB: phones differ by up to 20 dB.
  static let largestOffset = 40.0

  /// The place in the plane for any loss, and with the offset where it is asked.
  func general(
    _ observations: [Observation], _ site: LikelihoodSite
  ) throws(Refusal) -> Estimate {
    try estimate(observations, site, heights: nil)
  }

  /// The place and the height.
  ///
  /// It takes four anchors that are not on a line, and one more for the offset. Where they are in
  /// one plane, the mirror image explains the levels as well: inside the bounds it is the
  /// alternative, and the lower of the two is the answer, because anchors hang above targets more
  /// often than below.
  func spatial(
    _ observations: [Observation], _ site: LikelihoodSite
  ) throws(Refusal) -> Estimate {
    guard observations.count >= 4 + (offset == .none ? 0 : 1) else { throw .tooFewAnchors }
    let layout = try AnchorMirror(
      observations.map { SpacePoint($0.anchor, z: $0.heightDifference) })
    let heights = site.heights(of: observations)
    var answer = try estimate(observations, site, heights: heights)
    guard let height = answer.height, let mirror = layout.mirror else { return answer }
    let place = SpacePoint(answer.position, z: height)
    let image = mirror(place)
    let box = site.box(
      of: observations, nearestRange: Nearby(observations, isOffset: offset == .estimate).range)
    guard box.clamp(image.planar) == image.planar, heights.contains(image.z) else { return answer }
    guard image.z < height else {
      answer.alternative = image
      return answer
    }
    // The covariance of the image is the image of the covariance: taken afresh at the place itself.
    let (problem, origin) = problem(observations, site, heights: heights)
    let q = SIMD4(
      image.x - origin.x, image.y - origin.y, image.z, offsetAt(problem, place: image, origin))
    return Estimate(
      position: image.planar, height: image.z,
      uncertainty: uncertainty(problem, at: q), alternative: place)
  }

  private func offsetAt(_ problem: LevelProblem, place: SpacePoint, _ origin: Point) -> Double {
    guard offset == .estimate else { return 0 }
    return problem.descent(from: SIMD4(place.x - origin.x, place.y - origin.y, place.z, 0)).unknowns
      .w
  }

  private func estimate(
    _ observations: [Observation], _ site: LikelihoodSite, heights: ClosedRange<Double>?
  ) throws(Refusal) -> Estimate {
    let (problem, origin) = problem(observations, site, heights: heights)
    let centroid = Nearby(observations).centroid
    var start = 0.5 * (problem.low + problem.high)
    (start.x, start.y) = (centroid.x - origin.x, centroid.y - origin.y)
    var search = CertifiedSearch()
    guard let best = search.minimum(of: problem, start: start) else { throw .notConverged }
    let q = best.unknowns
    return Estimate(
      position: Point(x: origin.x + q.x, y: origin.y + q.y), height: heights == nil ? nil : q.z,
      uncertainty: uncertainty(problem, at: q))
  }

  /// The inverse of the Fisher information over the loss's efficiency; with an offset its own part
  /// is taken out (the Schur complement).
  private func uncertainty(_ problem: LevelProblem, at q: SIMD4<Double>) -> Uncertainty {
    guard problem.axes.allSatisfy({ q[$0] > problem.low[$0] && q[$0] < problem.high[$0] }) else {
      return .unavailable(.onTheEdge)
    }
    guard let c = problem.expansion(at: q).information.inverse(of: problem.axes) else {
      return .unavailable(.collinearAnchors)
    }
    let factor = 1 / loss.efficiency
    return .covariance(
      Covariance(
        xx: c[0, 0] * factor, xy: c[0, 1] * factor, yy: c[1, 1] * factor,
        vertical: problem.axes.contains(2)
          ? Covariance.Vertical(xz: c[0, 2] * factor, yz: c[1, 2] * factor, zz: c[2, 2] * factor)
          : nil))
  }

  private func problem(
    _ observations: [Observation], _ site: LikelihoodSite, heights: ClosedRange<Double>?
  ) -> (problem: LevelProblem, origin: Point) {
    let isOffset = offset == .estimate
    let box = site.box(
      of: observations, nearestRange: Nearby(observations, isOffset: isOffset).range)
    let origin = Point(
      x: (box.minimum.x + box.maximum.x) / 2, y: (box.minimum.y + box.maximum.y) / 2)
    let half = SIMD4(
      box.maximum.x - origin.x, box.maximum.y - origin.y, 0, isOffset ? Self.largestOffset : 0)
    var (low, high) = (-half, half)
    if let heights { (low.z, high.z) = (heights.lowerBound, heights.upperBound) }
    let terms = observations.map { o in
      LevelProblem.Term(
        place: SIMD4(o.anchor.x - origin.x, o.anchor.y - origin.y, o.heightDifference, 0),
        logSquaredRange: o.logSquaredRange, steepness: 0.5 / o.relativeRangeDeviation,
        inverseSigma: isOffset ? 1 / o.sigma : 0)
    }
    let length = max(half.x, half.y)
    let problem = LevelProblem(
      terms: terms, loss: loss, axes: [0, 1] + (heights == nil ? [] : [2]) + (isOffset ? [3] : []),
      low: low, high: high, leastSquared: max(1e-24 * length * length, .leastNormalMagnitude))
    return (problem, origin)
  }
}
