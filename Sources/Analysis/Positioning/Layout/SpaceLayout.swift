import Geometry

/// The layout of anchors in space: their centroid and scatter matrix, as ``AnchorLayout`` in the
/// plane.
struct SpaceLayout {
  let centroid: SpacePoint
  /// Σ (a - ā)(a - ā)ᵀ, in square metres.
  let scatter: SymmetricMatrix3

  init(_ anchors: some Collection<SpacePoint>) {
    let count = Double(anchors.count)
    var (x, y, z) = (0.0, 0.0, 0.0)
    for a in anchors {
      x += a.x
      y += a.y
      z += a.z
    }
    let centroid = SpacePoint(x: x / count, y: y / count, z: z / count)
    var scatter = SymmetricMatrix3()
    for a in anchors { scatter.add(a - centroid) }
    self.centroid = centroid
    self.scatter = scatter
  }

  /// The ratio of width to length, without a scale: 0 for collinear anchors, 1 if all directions
  /// are alike.
  ///
  /// It is √(3 e2) / e1, with the sums of the eigenvalues' products e1 and e2.
  var breadth: Double {
    scatter.trace > 0 ? (3 * max(0, scatter.pairs)).squareRoot() / scatter.trace : 0
  }

  /// The ratio of thickness to length, without a scale: 0 for coplanar anchors, 1 if all directions
  /// are alike.
  ///
  /// It is 3 √(e3 / (e1 e2)), with the sums of the eigenvalues' products e1, e2 and e3.
  var depth: Double {
    let scale = scatter.trace * scatter.pairs
    return scale > 0 ? 3 * (max(0, scatter.determinant) / scale).squareRoot() : 0
  }
}

extension SpaceLayout {
  /// Creates the layout of anchors, or throws the reason if they are collinear.
  init(spanning anchors: some Collection<SpacePoint>) throws(Refusal) {
    guard anchors.count >= 3 else { throw .tooFewAnchors }
    self.init(anchors)
    guard breadth > AnchorLayout.reliableBreadth else {
      throw Set(anchors).count < 3 ? .coincidentAnchors : .collinearAnchors
    }
  }

  /// Creates the layout of anchors that fix a position in space, or throws the reason why they do
  /// not.
  init(fixing anchors: some Collection<SpacePoint>) throws(Refusal) {
    guard anchors.count >= 4 else { throw .tooFewAnchors }
    try self.init(spanning: anchors)
    guard depth > AnchorLayout.reliableBreadth else {
      throw Set(anchors).count < 4 ? .coincidentAnchors : .coplanarAnchors
    }
  }
}

extension Observation {
  /// The place of the anchor in space, with its height above the reference level.
  var spaceAnchor: SpacePoint { SpacePoint(anchor, z: heightDifference) }
}
