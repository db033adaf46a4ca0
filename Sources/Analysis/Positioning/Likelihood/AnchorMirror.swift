import Geometry

/// The ambiguity of anchors in space: collinear anchors are refused, coplanar ones have a mirror
/// image.
struct AnchorMirror {
  /// The reflection in the anchors' plane; `nil` if they are not coplanar.
  let mirror: ((SpacePoint) -> SpacePoint)?

  /// Throws the reason if the anchors leave more than two possible places.
  init(_ anchors: [SpacePoint]) throws(Refusal) {
    let count = Double(anchors.count)
    let sum = anchors.reduce(SIMD4<Double>()) { $0 + SIMD4($1.x, $1.y, $1.z, 0) }
    let centroid = sum / count
    var scatter = SIMDMatrix4()
    for anchor in anchors {
      scatter.add(SIMD4(anchor.x, anchor.y, anchor.z, 0) - centroid, times: 1)
    }
    let trace = scatter[0, 0] + scatter[1, 1] + scatter[2, 2]
    // The sum of products of two eigenvalues is 0 on a line.
    func minor(_ i: Int, _ j: Int) -> Double {
      scatter[i, i] * scatter[j, j] - scatter[i, j] * scatter[i, j]
    }
    let pairs = minor(0, 1) + minor(0, 2) + minor(1, 2)
    guard pairs > 0, 2 * pairs.squareRoot() > AnchorLayout.reliableBreadth * trace else {
      throw Set(anchors).count < 3 ? .coincidentAnchors : .collinearAnchors
    }
    let least = scatter.leastEigenvalue(of: [0, 1, 2])
    guard least <= AnchorLayout.reliableBreadth * AnchorLayout.reliableBreadth * trace else {
      mirror = nil
      return
    }
    // The rows of the scatter less its least eigenvalue are in the plane: the cross product of two
    // of them is its normal.
    scatter.add(diagonal: SIMD4(-least, -least, -least, 0))
    var normal = SIMD4<Double>()
    for (i, j) in [(0, 1), (0, 2), (1, 2)] {
      let (u, v) = (scatter.rows[i], scatter.rows[j])
      let across = SIMD4(u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x, 0)
      if (across * across).sum() > (normal * normal).sum() { normal = across }
    }
    let unit = normal / (normal * normal).sum().squareRoot()
    mirror = { place in
      let p = SIMD4(place.x, place.y, place.z, 0)
      let image = p - 2 * ((p - centroid) * unit).sum() * unit
      return SpacePoint(x: image.x, y: image.y, z: image.z)
    }
  }
}
