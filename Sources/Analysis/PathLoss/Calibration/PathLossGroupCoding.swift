import NumericalMethods

extension PathLossGroup: Codable {
  private enum Keys: String, CodingKey {
    case key, beacon, receiver, series, exponent, samples, positions, distances, warnings, ci95,
      walls
    case altBeacon = "altbeacon"
    case estimation, bootstrap, diagnostics
    case measuredPower = "measured_power_dbm"
    case sigma = "sigma_db"
    case distanceRange = "distance_range_m"
    case standardError = "standard_error"
    case errorBasis = "standard_error_basis"
    case freedom = "degrees_of_freedom"
    case covariance = "covariance_measured_power_exponent_db"
    case positionDeviation = "position_sd_db"
    case packetDeviation = "packet_sd_db"
    case residualDeviation = "residual_sd_db"
    case successiveDeviation = "successive_sd_db"
    case distanceAt = "distance_at"
    case leastSquares = "least_squares"
    case twoSlope = "two_slope"
    case channelOffsets = "channel_offsets"
  }

  private enum ConstantKeys: String, CodingKey {
    case measuredPower = "measured_power_dbm"
    case exponent
    case sigma = "sigma_db"
  }

  /// Decodes a group; missing keys are `nil`, so that files of older versions can be read.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Keys.self)
    func optional<Value: Decodable>(_ key: Keys) throws -> Value? {
      try values.decodeIfPresent(Value.self, forKey: key)
    }
    func constants(_ key: Keys) throws -> KeyedDecodingContainer<ConstantKeys>? {
      guard values.contains(key), try !values.decodeNil(forKey: key) else { return nil }
      return try values.nestedContainer(keyedBy: ConstantKeys.self, forKey: key)
    }
    key = try values.decode(String.self, forKey: .key)
    beacon = try optional(.beacon)
    receiver = try optional(.receiver)
    series = try optional(.series)
    measuredPower = try optional(.measuredPower)
    exponent = try optional(.exponent)
    sigma = try optional(.sigma)
    samples = try optional(.samples) ?? 0
    positions = try optional(.positions) ?? 0
    distances = try optional(.distances) ?? 0
    distanceRange = try optional(.distanceRange)
    errorBasis = try optional(.errorBasis)
    powerExponentCovariance = try optional(.covariance)
    positionDeviation = try optional(.positionDeviation)
    packetDeviation = try optional(.packetDeviation)
    residualDeviation = try optional(.residualDeviation)
    successiveDeviation = try optional(.successiveDeviation)
    estimation = try optional(.estimation) ?? Estimation()
    distanceAt = try optional(.distanceAt) ?? []
    leastSquares = try optional(.leastSquares)
    twoSlope = try optional(.twoSlope)
    walls = try optional(.walls)
    altBeacon = try optional(.altBeacon)
    bootstrap = try optional(.bootstrap)
    channelOffsets = try optional(.channelOffsets)
    if let errors = try constants(.standardError) {
      powerError = try errors.decodeIfPresent(Double.self, forKey: .measuredPower)
      exponentError = try errors.decodeIfPresent(Double.self, forKey: .exponent)
    }
    if let freedom = try constants(.freedom) {
      powerFreedom = try freedom.decodeIfPresent(Double.self, forKey: .measuredPower)
      exponentFreedom = try freedom.decodeIfPresent(Double.self, forKey: .exponent)
    }
    if let intervals = try constants(.ci95) {
      powerInterval = try intervals.decodeIfPresent(Interval.self, forKey: .measuredPower)
      exponentInterval = try intervals.decodeIfPresent(Interval.self, forKey: .exponent)
      sigmaInterval = try intervals.decodeIfPresent(Interval.self, forKey: .sigma)
    }
    let sentences: [String] = try optional(.warnings) ?? []
    diagnostics = try optional(.diagnostics) ?? sentences.map { Diagnostic("warning", $0) }
    try check(values)
  }

  /// Rejects values that no fit writes: a number of standard errors other than three, and negative
  /// counts.
  private func check(_ values: KeyedDecodingContainer<Keys>) throws {
    func require(_ isSound: Bool, _ key: Keys, _ problem: String) throws {
      guard isSound else {
        throw DecodingError.dataCorruptedError(forKey: key, in: values, debugDescription: problem)
      }
    }
    try require(
      altBeacon?.standardErrors.map(\.count) ?? 3 == 3, .altBeacon,
      "standard_errors must be three numbers, for a, b and c")
    try require(
      channelOffsets.map(ChannelOffset.areSound) ?? true, .channelOffsets,
      "an offset must have a beacon or a receiver and a channel from 37 to 39, without duplicates")
    for (key, number) in [
      (Keys.samples, samples), (.positions, positions), (.distances, distances),
      (.estimation, estimation.iterations), (.estimation, estimation.missed ?? 0),
      (.bootstrap, bootstrap?.replicates ?? 0), (.bootstrap, bootstrap?.failed ?? 0),
    ] {
      try require((0..<1 << 53).contains(number), key, "numbers of readings must be at least 0")
    }
  }

  /// Encodes every key, with null for missing values, so that scripts find them all; channel
  /// offsets are present only if they were requested.
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
    try values.encode(distances, forKey: .distances)
    try values.encode(distanceRange, forKey: .distanceRange)
    try values.encode(errorBasis, forKey: .errorBasis)
    try values.encode(powerExponentCovariance, forKey: .covariance)
    try values.encode(positionDeviation, forKey: .positionDeviation)
    try values.encode(packetDeviation, forKey: .packetDeviation)
    try values.encode(residualDeviation, forKey: .residualDeviation)
    try values.encode(successiveDeviation, forKey: .successiveDeviation)
    try values.encode(estimation, forKey: .estimation)
    try values.encode(distanceAt, forKey: .distanceAt)
    try values.encode(leastSquares, forKey: .leastSquares)
    try values.encode(twoSlope, forKey: .twoSlope)
    try values.encode(walls, forKey: .walls)
    try values.encode(altBeacon, forKey: .altBeacon)
    try values.encode(bootstrap, forKey: .bootstrap)
    try values.encodeIfPresent(channelOffsets, forKey: .channelOffsets)
    try values.encode(diagnostics, forKey: .diagnostics)
    try values.encode(warnings, forKey: .warnings)
    var errors = values.nestedContainer(keyedBy: ConstantKeys.self, forKey: .standardError)
    try errors.encode(powerError, forKey: .measuredPower)
    try errors.encode(exponentError, forKey: .exponent)
    var freedom = values.nestedContainer(keyedBy: ConstantKeys.self, forKey: .freedom)
    try freedom.encode(powerFreedom, forKey: .measuredPower)
    try freedom.encode(exponentFreedom, forKey: .exponent)
    var intervals = values.nestedContainer(keyedBy: ConstantKeys.self, forKey: .ci95)
    try intervals.encode(powerInterval, forKey: .measuredPower)
    try intervals.encode(exponentInterval, forKey: .exponent)
    try intervals.encode(sigmaInterval, forKey: .sigma)
  }
}
