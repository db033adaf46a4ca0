import Geometry

/// The places of eight particles, in metres from the corner of the area.
struct PlaceBlock {
  var x: SIMD8<Float>
  var y: SIMD8<Float>
  var height: SIMD8<Float>
}

extension PlaceBlock {
  /// Creates copies of some places.
  init(_ sources: SIMD8<Int32>, of all: [PlaceBlock]) {
    x = SIMD8(sources) { all[$0].x[$1] }
    y = SIMD8(sources) { all[$0].y[$1] }
    height = SIMD8(sources) { all[$0].height[$1] }
  }
}

extension [PlaceBlock] {
  /// Returns the weighted mean of the places, with their covariance.
  func moments(_ weights: [SIMD8<Float>]) -> (mean: SpacePoint, covariance: Covariance) {
    var (x, y, z) = (SIMD8<Float>.zero, SIMD8<Float>.zero, SIMD8<Float>.zero)
    for index in indices {
      x += weights[index] * self[index].x
      y += weights[index] * self[index].y
      z += weights[index] * self[index].height
    }
    let mean = PlaceBlock(
      x: .init(repeating: x.sum()), y: .init(repeating: y.sum()),
      height: .init(repeating: z.sum()))
    var (xx, xy, yy) = (SIMD8<Float>.zero, SIMD8<Float>.zero, SIMD8<Float>.zero)
    var (xz, yz, zz) = (SIMD8<Float>.zero, SIMD8<Float>.zero, SIMD8<Float>.zero)
    for index in indices {
      let weight = weights[index]
      let (x, y) = (self[index].x - mean.x, self[index].y - mean.y)
      let z = self[index].height - mean.height
      xx += weight * x * x
      xy += weight * x * y
      yy += weight * y * y
      xz += weight * x * z
      yz += weight * y * z
      zz += weight * z * z
    }
    var spread = Covariance(xx: Double(xx.sum()), xy: Double(xy.sum()), yy: Double(yy.sum()))
    spread.vertical = .init(xz: Double(xz.sum()), yz: Double(yz.sum()), zz: Double(zz.sum()))
    return (
      SpacePoint(x: Double(x.sum()), y: Double(y.sum()), z: Double(z.sum())), spread
    )
  }
}

extension [PlaceBlock] {
  /// Returns the sum of the squared weights of distinct places: 1 if there is only one.
  ///
  /// Copies of a particle are adjacent in the list after resampling.
  func concentration(_ weights: [SIMD8<Float>]) -> Double {
    var (sum, weight) = (Double(0), Double(0))
    var last = SIMD2<Float>(repeating: .nan)
    for index in indices {
      let (x, y, share) = (self[index].x, self[index].y, weights[index])
      for lane in 0..<8 {
        let here = SIMD2(x[lane], y[lane])
        if here != last {
          sum += weight * weight
          (weight, last) = (0, here)
        }
        weight += Double(share[lane])
      }
    }
    return sum + weight * weight
  }
}
