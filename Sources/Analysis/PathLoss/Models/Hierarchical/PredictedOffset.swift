/// How far one beacon or receiver is from the average one.
package struct PredictedOffset: Equatable, Sendable {
  /// dB; drawn towards 0 the more, the less is known of it (best linear unbiased prediction).
  package let offset: Double
  /// The standard error of the prediction, dB.
  package let offsetError: Double
  /// P and the offset: dBm at 1 m.
  package let measuredPower: Double
  /// Its standard error, dB: errors of P and of the offset offset each other.
  package let measuredPowerError: Double

  /// The predictions for each level of an effect.
  ///
  /// With S the line's covariance over σ² and m how an offset follows the line, errors of line and
  /// offset have the covariance −σ² S mᵀ θ, and the offset's own is σ² θ² (A⁻¹ + m S mᵀ): the
  /// inverse of Henderson's mixed model equations (Henderson, 1975).
  ///
  /// - Parameter origin: where x is 0, as seen from the model's x.
  static func all(
    of effect: Int, _ model: inout MixedModel, _ line: MixedModel.Evaluation, ratio: Double,
    variance: Double, measuredPower: Double, origin: Double
  ) -> [PredictedOffset] {
    let (level, both, slope) = line.covariance
    func square(_ a: Double, _ b: Double) -> Double {
      a * a * level + 2 * a * b * both + b * b * slope
    }
    return model.columnsOfLevels[effect].map { column in
      let ones = ratio * model.responses[3 * column]
      let x = ratio * model.responses[3 * column + 1]
      let offset =
        ratio * model.responses[3 * column + 2] - line.level * ones - line.slope * x
      let own = ratio * ratio * model.inverseDiagonal(column)
      return PredictedOffset(
        offset: offset, offsetError: (variance * (own + square(ones, x))).squareRoot(),
        measuredPower: measuredPower + offset,
        measuredPowerError: (variance * (own + square(1 - ones, origin - x))).squareRoot())
    }
  }
}
