import Geometry

/// The mean of neighbours' places, weighted by nearness in signal space, and their spread about it.
struct NeighbourMean {
  var place: SpacePoint
  /// The weighted covariance of the neighbours' places, in m²; 0 for one neighbour.
  var spread: SymmetricMatrix3

  /// - Parameter neighbours: at least one.
  init(_ neighbours: ArraySlice<SignalSpace.Neighbour>, in space: SignalSpace) {
    let weights = neighbours.map(Self.weight)
    let total = weights.reduce(0, +)
    var place = SpacePoint(x: 0, y: 0, z: 0)
    var squares = 0.0
    for (weight, neighbour) in zip(weights, neighbours) {
      place = place + (weight / total) * space.places[neighbour.point]
      squares += (weight / total) * (weight / total)
    }
    var spread = SymmetricMatrix3()
    // The unbiased form for weights that show how near, not how often.
    let freedom = 1 - squares
    if freedom > 1e-12 {
      for (weight, neighbour) in zip(weights, neighbours) {
        spread.add(space.places[neighbour.point] - place, weight: weight / (total * freedom))
      }
    }
    (self.place, self.spread) = (place, spread)
  }

  /// The inverse distance.
  ///
  /// A level is given to 1 dB: nothing is nearer than rounding's deviation of 1/√12 dB, and no
  /// weight is infinite.
  static func weight(_ neighbour: SignalSpace.Neighbour) -> Double {
    1 / max(neighbour.distance, 0.288_675_134_594_812_9)
  }
}
