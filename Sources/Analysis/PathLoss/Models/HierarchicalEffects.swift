public import NumericalMethods

/// What beacons, receivers and positions have of their own in a hierarchical fit.
public struct HierarchicalEffects: Codable, Equatable, Sendable {
  /// What the offsets are measured from, in a sentence.
  public var gauge: String
  /// Of the offsets of beacons, receivers and positions, and of packets; an effect that the
  /// readings cannot show is absent.
  public var deviations: [String: Deviation]
  public var beacons: [String: Offset]
  public var receivers: [String: Offset]
  /// Effects that were left out, and why.
  public var omissions: [String]
  /// Restricted, natural.
  public var logLikelihood: Double

  private enum CodingKeys: String, CodingKey {
    case gauge, beacons, receivers, omissions
    case deviations = "sd_db"
    case logLikelihood = "log_likelihood"
  }

  /// A standard deviation, dB.
  public struct Deviation: Codable, Equatable, Sendable {
    public var value: Double
    /// 95 %, rough where there are few levels.
    public var interval: Interval?

    private enum CodingKeys: String, CodingKey {
      case value
      case interval = "ci95"
    }

    public func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: CodingKeys.self)
      try values.encode(value, forKey: .value)
      try values.encode(interval, forKey: .interval)
    }
  }

  /// How far one beacon or receiver is from the average one, dB.
  public struct Offset: Codable, Equatable, Sendable {
    public var offset: Double
    public var standardError: Double

    private enum CodingKeys: String, CodingKey {
      case offset = "offset_db"
      case standardError = "standard_error_db"
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
        Offset(offset: predicted[number].offset, standardError: predicted[number].offsetError)
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
