import Geometry

extension RadioMap {
  /// The variance in dB² that the levels of all anchors at one place have in common: how the device
  /// was held there, and what stood beside it.
  ///
  /// Each level's error is that against the map of its anchor without it. Errors of two anchors at
  /// one place have the product C² on the mean; products are weighted by the inverse of their
  /// variances, as is best where C is small. Pairs of places are no pairs of this.
  static func commonVariance(
    _ levels: [[SurveyedLevel]], _ fields: [ResidualField]
  ) -> Double {
    struct Stay: Hashable {
      var column: Int
      var row: Int
      var recording: Int?
    }
    // Of each stay, the sums of e / v, of their squares, of 1 / v and of their squares.
    var stays: [Stay: Int] = [:]
    var sums: [SIMD4<Double>] = []
    for (levels, field) in zip(levels, fields) {
      for (level, left) in zip(levels, field.leftOut) {
        let stay = Stay(
          column: Int((level.place.x / 0.5).rounded(.down)),
          row: Int((level.place.y / 0.5).rounded(.down)), recording: level.recording)
        let (score, precision) = (left.error / left.variance, 1 / left.variance)
        let number = stays[stay] ?? sums.count
        if number == sums.count {
          stays[stay] = number
          sums.append(.zero)
        }
        sums[number] += [score, score * score, precision, precision * precision]
      }
    }
    let pairs = sums.reduce(into: (products: 0.0, weights: 0.0)) {
      $0.products += $1[0] * $1[0] - $1[1]
      $0.weights += $1[2] * $1[2] - $1[3]
    }
    return pairs.weights > 0 ? max(pairs.products / pairs.weights, 0) : 0
  }
}
