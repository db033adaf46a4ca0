package import NumericalMethods

/// What beacons, receivers and positions have of their own in a hierarchical fit.
package struct HierarchicalEffects: Codable, Equatable, Sendable {
  /// What the offsets are measured from, in a sentence.
  package var gauge: String
  /// Of the offsets of beacons, receivers and positions, and of packets; an effect that the
  /// readings cannot show is absent.
  package var deviations: [String: Deviation]
  package var beacons: [String: Offset]
  package var receivers: [String: Offset]
  /// Effects that were left out, and why.
  package var omissions: [String]
  /// Restricted, natural.
  package var logLikelihood: Double

  private enum CodingKeys: String, CodingKey {
    case gauge, beacons, receivers, omissions
    case deviations = "sd_db"
    case logLikelihood = "log_likelihood"
  }

  /// A standard deviation, dB.
  package struct Deviation: Codable, Equatable, Sendable {
    package var value: Double
    /// 95 %, rough where there are few levels.
    package var interval: Interval?

    private enum CodingKeys: String, CodingKey {
      case value
      case interval = "ci95"
    }

    package func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: CodingKeys.self)
      try values.encode(value, forKey: .value)
      try values.encode(interval, forKey: .interval)
    }
  }

  /// How far one beacon or receiver is from the average one, dB.
  package struct Offset: Codable, Equatable, Sendable {
    package var offset: Double
    package var standardError: Double
    /// 95 %; nil where the degrees of freedom are not known.
    package var interval: Interval?
    /// Of Student's t in the interval: those of the level that offsets are measured from.
    package var freedom: Double?

    private enum CodingKeys: String, CodingKey {
      case offset = "offset_db"
      case standardError = "standard_error_db"
      case interval = "ci95_db"
      case freedom = "degrees_of_freedom"
    }

    package func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: CodingKeys.self)
      try values.encode(offset, forKey: .offset)
      try values.encode(standardError, forKey: .standardError)
      try values.encode(interval, forKey: .interval)
      try values.encode(freedom, forKey: .freedom)
    }
  }
}

extension HierarchicalEffects {
  init(_ fit: HierarchicalFit, beacons: [String: Int], receivers: [String: Int]) {
    gauge = HierarchicalFit.gauge
    deviations = ["packet": Deviation(fit.packetDeviation)]
    for (effect, deviation) in fit.deviations {
      deviations[effect.rawValue] = Deviation(deviation)
    }
    func offsets(_ numbers: [String: Int], _ predicted: [PredictedOffset]) -> [String: Offset] {
      guard !predicted.isEmpty else { return [:] }
      return numbers.mapValues { number in
        let one = predicted[number]
        return Offset(
          offset: one.offset, standardError: one.offsetError,
          interval: interval(one.offset, one.offsetError * one.offsetError, fit.offsetFreedom),
          freedom: fit.offsetFreedom)
      }
    }
    self.beacons = offsets(beacons, fit.beacons)
    self.receivers = offsets(receivers, fit.receivers)
    omissions = fit.omissions.map(\.description)
    logLikelihood = fit.logLikelihood
  }
}

extension HierarchicalEffects.Deviation {
  init(_ deviation: HierarchicalFit.Deviation) {
    value = deviation.value
    interval = deviation.interval
  }
}

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
