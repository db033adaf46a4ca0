package import NumericalMethods

/// The random effects of beacons, receivers and positions in a hierarchical fit.
package struct HierarchicalEffects: Codable, Equatable, Sendable {
  /// The reference of the offsets, as a sentence.
  package var gauge: String
  /// The standard deviations of the offsets of beacons, receivers and positions, of places and poses
  /// that several of them share, and of packets; an effect that the readings cannot determine is
  /// absent.
  package var deviations: [String: Deviation]
  package var beacons: [String: Offset]
  package var receivers: [String: Offset]
  /// The omitted effects, with their reasons.
  package var omissions: [String]
  /// The natural logarithm of the restricted likelihood.
  package var logLikelihood: Double

  private enum CodingKeys: String, CodingKey {
    case gauge, beacons, receivers, omissions
    case deviations = "sd_db"
    case logLikelihood = "log_likelihood"
  }

  /// A standard deviation, in dB.
  package struct Deviation: Codable, Equatable, Sendable {
    package var value: Double
    /// The 95 % interval; approximate with few levels.
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

  /// The offset of one beacon or receiver from the average one, in dB.
  package struct Offset: Codable, Equatable, Sendable {
    package var offset: Double
    package var standardError: Double
    /// The 95 % interval; `nil` if the degrees of freedom are unknown.
    package var interval: Interval?
    /// The degrees of freedom of Student's t in the interval: those of the reference level.
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

/// The predicted offset of one beacon or receiver from the average one.
package struct PredictedOffset: Equatable, Sendable {
  /// The offset in dB, shrunk towards 0 according to its uncertainty (best linear unbiased
  /// prediction).
  package let offset: Double
  /// The standard error of the prediction, in dB.
  package let offsetError: Double
  /// The sum of P and the offset, in dBm at 1 m.
  package let measuredPower: Double
  /// The standard error of the sum, in dB; errors of P and of the offset partly cancel.
  package let measuredPowerError: Double

  /// Returns the predictions for each level of an effect.
  ///
  /// Let S be the line's covariance over σ² and m the dependence of an offset on the line. Errors
  /// of line and offset then have the covariance −σ² S mᵀ θ, and the offset's own is σ² θ² (A⁻¹ + m
  /// S mᵀ): the inverse of Henderson's mixed model equations (Henderson, 1975).
  ///
  /// - Parameter origin: The origin of x relative to the model's x.
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
