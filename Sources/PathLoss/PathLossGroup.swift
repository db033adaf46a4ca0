/// The fitted constants of one group of readings, with their uncertainty.
///
/// What could not be determined is nil, and a warning says why.
public struct PathLossGroup: Equatable, Sendable {
  /// The group's name: a beacon, a receiver, a series, several of them joined by "/", or "pooled".
  public var key: String
  public var beacon: String?
  public var receiver: String?
  public var series: String?
  /// RSSI at 1 m, dBm.
  public var measuredPower: Double?
  public var exponent: Double?
  /// Standard deviation of the readings about the curve, dB, with N − 2 degrees of freedom.
  public var sigma: Double?
  public var samples: Int
  public var positions: Int
  /// Standard error of the measured power, dB.
  public var powerError: Double?
  /// Standard error of the exponent.
  public var exponentError: Double?
  /// What the standard errors take as independent.
  public var errorBasis: ErrorBasis?
  /// 95 % confidence interval, dBm.
  public var powerInterval: [Double]?
  /// 95 % confidence interval.
  public var exponentInterval: [Double]?
  public var warnings: [String] = []

  public enum ErrorBasis: String, Codable, Sendable {
    case samples
    case positions
  }

  public init(key: String, samples: Int, positions: Int) {
    self.key = key
    self.samples = samples
    self.positions = positions
  }
}

extension PathLossGroup: Codable {
  private enum Keys: String, CodingKey {
    case key, beacon, receiver, series, exponent, samples, positions, warnings, ci95
    case measuredPower = "measured_power_dbm"
    case sigma = "sigma_db"
    case standardError = "standard_error"
    case errorBasis = "standard_error_basis"
  }

  private enum PairKeys: String, CodingKey {
    case measuredPower = "measured_power_dbm"
    case exponent
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Keys.self)
    key = try values.decode(String.self, forKey: .key)
    beacon = try values.decodeIfPresent(String.self, forKey: .beacon)
    receiver = try values.decodeIfPresent(String.self, forKey: .receiver)
    series = try values.decodeIfPresent(String.self, forKey: .series)
    measuredPower = try values.decodeIfPresent(Double.self, forKey: .measuredPower)
    exponent = try values.decodeIfPresent(Double.self, forKey: .exponent)
    sigma = try values.decodeIfPresent(Double.self, forKey: .sigma)
    samples = try values.decodeIfPresent(Int.self, forKey: .samples) ?? 0
    positions = try values.decodeIfPresent(Int.self, forKey: .positions) ?? 0
    warnings = try values.decodeIfPresent([String].self, forKey: .warnings) ?? []
    errorBasis = try values.decodeIfPresent(ErrorBasis.self, forKey: .errorBasis)
    if values.contains(.standardError), try !values.decodeNil(forKey: .standardError) {
      let errors = try values.nestedContainer(keyedBy: PairKeys.self, forKey: .standardError)
      powerError = try errors.decodeIfPresent(Double.self, forKey: .measuredPower)
      exponentError = try errors.decodeIfPresent(Double.self, forKey: .exponent)
    }
    if values.contains(.ci95), try !values.decodeNil(forKey: .ci95) {
      let intervals = try values.nestedContainer(keyedBy: PairKeys.self, forKey: .ci95)
      powerInterval = try intervals.decodeIfPresent([Double].self, forKey: .measuredPower)
      exponentInterval = try intervals.decodeIfPresent([Double].self, forKey: .exponent)
    }
  }

  /// Writes every key, null where there is no value, so that scripts find them all.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Keys.self)
    try values.encode(key, forKey: .key)
    try values.encode(beacon, forKey: .beacon)
    try values.encode(receiver, forKey: .receiver)
    try values.encode(series, forKey: .series)
    try values.encode(measuredPower, forKey: .measuredPower)
    try values.encode(exponent, forKey: .exponent)
    try values.encode(sigma, forKey: .sigma)
    try values.encode(samples, forKey: .samples)
    try values.encode(positions, forKey: .positions)
    try values.encode(errorBasis, forKey: .errorBasis)
    try values.encode(warnings, forKey: .warnings)
    var errors = values.nestedContainer(keyedBy: PairKeys.self, forKey: .standardError)
    try errors.encode(powerError, forKey: .measuredPower)
    try errors.encode(exponentError, forKey: .exponent)
    var intervals = values.nestedContainer(keyedBy: PairKeys.self, forKey: .ci95)
    try intervals.encode(powerInterval, forKey: .measuredPower)
    try intervals.encode(exponentInterval, forKey: .exponent)
  }
}
