import NumericalMethods

extension Diagnostic {
  static let oneDistance = Diagnostic(
    "one-distance",
    "one distance only: measured power and exponent cannot be separated; record at several "
      + "distances, or use the model fixed-exponent",
    value: 1)

  /// What the distances do not let a fit know, and exponents that no room has.
  static func distances(_ group: PathLossGroup, _ model: PathLossModel) -> [Diagnostic] {
    if case .fixedExponent = model { return [] }
    var found: [Diagnostic] = []
    if group.distances == 2 {
      found.append(
        Diagnostic(
          "too-few-distances",
          "two distances only: nothing shows whether levels fall along a straight line; record at "
            + "more",
          value: 2))
    }
    if let range = group.distanceRange, range.upper < 10 * range.lower {
      found.append(
        Diagnostic(
          "under-one-decade",
          "distances span \(centimetres(range.lower)) to \(centimetres(range.upper)) m, less than one "
            + "decade: the exponent is weakly determined",
          value: range.upper / range.lower))
    }
    if let exponent = group.exponent, exponent < 1 || exponent > 6 {
      found.append(
        Diagnostic(
          "exponent-out-of-range",
          "the exponent is outside 1 to 6: check distances, sensitivity and obstacles before using "
            + "it",
          value: exponent))
    }
    return found
  }
}

/// A length rounded to centimetres, for words.
private func centimetres(_ metres: Double) -> Double { (metres * 100).rounded() / 100 }
