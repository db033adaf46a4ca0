/// A calibration file: the fitted constants, how they were fitted and from what.
public struct Calibration: Codable, Equatable, Sendable {
  /// The name of the file format.
  public var format = "rssi-calibration"
  /// The version of the file format.
  public var formatVersion = 1
  /// The version of the program that fitted the constants.
  public var toolVersion: String
  /// The command that fitted the constants.
  public var commandLine: String
  /// The name of the path-loss model, such as `log-distance`.
  public var model: String
  /// The name of the estimator, such as `least-squares`.
  public var estimator: String
  @Boxed package var settings: FitConfiguration
  /// The grouping: `pooled`, `beacon`, `receiver`, `series`, `link`, or several with commas.
  public var by: String
  /// The constants of each group.
  public var groups: [PathLossGroup]
  /// All readings together, for links that no group is about.
  @Boxed public var pooled: PathLossGroup
  /// What a hierarchical fit states beyond the groups; nil for other models.
  package var hierarchical: HierarchicalEffects?
  /// Readings left out, by reason.
  public var excluded: [String: Int]
  /// The files that were fitted.
  public var inputs: [Input]
  /// All that the fit knows of the readings, from which parts can be put together exactly.
  package var stations: [Station]
  /// Some of the readings with their times, sorted, to recognise them in other recordings; nil
  /// where they are not known.
  package var sample: ReadingSample?

  /// A file that was fitted.
  public struct Input: Codable, Equatable, Sendable {
    /// The name of the file.
    public var name: String
    /// The SHA-256 of the file, 64 hexadecimal digits.
    public var sha256: String
    /// The trace that was made from it and that was fitted; nil for what was fitted itself.
    public var madeInto: String?

    private enum CodingKeys: String, CodingKey {
      case name, sha256
      case madeInto = "made_into"
    }

    /// Creates an input.
    public init(name: String, sha256: String, madeInto: String? = nil) {
      self.name = name
      self.sha256 = sha256
      self.madeInto = madeInto
    }
  }

  private enum CodingKeys: String, CodingKey {
    case format, model, estimator, settings, by, groups, pooled, hierarchical, excluded, inputs
    case stations, sample
    case formatVersion = "format_version"
    case toolVersion = "tool_version"
    case commandLine = "command_line"
  }

  package init(
    toolVersion: String, commandLine: String, model: String, estimator: String,
    settings: FitConfiguration, by: String, groups: [PathLossGroup], pooled: PathLossGroup,
    hierarchical: HierarchicalEffects? = nil, excluded: [String: Int], inputs: [Input],
    stations: [Station], sample: ReadingSample? = nil
  ) {
    self.toolVersion = toolVersion
    self.commandLine = commandLine
    self.model = model
    self.estimator = estimator
    self.settings = settings
    self.by = by
    self.groups = groups
    self.pooled = pooled
    self.hierarchical = hierarchical
    self.excluded = excluded
    self.inputs = inputs
    self.stations = stations
    self.sample = sample
  }

  /// Keys that files of older versions lack have the value that held then.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    format = try values.decode(String.self, forKey: .format)
    formatVersion = try values.decode(Int.self, forKey: .formatVersion)
    toolVersion = try values.decode(String.self, forKey: .toolVersion)
    commandLine = try values.decode(String.self, forKey: .commandLine)
    model = try values.decode(String.self, forKey: .model)
    estimator = try values.decode(String.self, forKey: .estimator)
    settings =
      try values.decodeIfPresent(FitConfiguration.self, forKey: .settings) ?? FitConfiguration()
    by = try values.decode(String.self, forKey: .by)
    groups = try values.decode([PathLossGroup].self, forKey: .groups)
    pooled = try values.decode(PathLossGroup.self, forKey: .pooled)
    hierarchical = try values.decodeIfPresent(HierarchicalEffects.self, forKey: .hierarchical)
    excluded = try values.decode([String: Int].self, forKey: .excluded)
    inputs = try values.decode([Input].self, forKey: .inputs)
    stations = try values.decodeIfPresent([Station].self, forKey: .stations) ?? []
    sample = try values.decodeIfPresent(ReadingSample.self, forKey: .sample)
    try check(values)
  }

  /// Refuses what no fit writes, so that a damaged file is not taken for another one.
  private func check(_ values: KeyedDecodingContainer<CodingKeys>) throws {
    func require(_ isSound: Bool, _ key: CodingKeys, _ words: String) throws {
      guard isSound else {
        throw DecodingError.dataCorruptedError(forKey: key, in: values, debugDescription: words)
      }
    }
    try require(ModelName(rawValue: model) != nil, .model, "there is no model \"\(model)\"")
    try require(
      PathLossEstimator(rawValue: estimator) != nil, .estimator,
      "there is no estimator \"\(estimator)\"")
    try require((try? settings.check()) != nil, .settings, "a value is out of bounds")
    try require(
      excluded.values.allSatisfy { (0..<1 << 53).contains($0) }, .excluded, "counts are at least 0")
    try require(
      Set(stations.map(\.key)).count == stations.count, .stations, "a station is there twice")
    var samples = 0
    for station in stations {
      for one in station.levels { samples += min(one.count, 1 << 32) }
      try require(samples < 1 << 53, .stations, "there are more readings than can be counted")
    }
  }
}

/// The constants that a positioning algorithm needs of a link.
public struct PathLossConstants: Equatable, Sendable {
  /// RSSI at 1 m, dBm.
  public var measuredPower: Double
  /// The path-loss exponent n in P - 10 n log10(d).
  public var exponent: Double
  /// Standard deviation of one packet's level about the path-loss curve, in dB.
  public var sigma: Double
  /// Standard deviation of a packet's own error, which packets that follow each other do not
  /// share, in dB, at most `sigma`; nil where it is not known.
  public var packetSigma: Double?
  /// How well the fit knows the curve; nil where it does not show.
  package var curveCovariance: CurveCovariance?

  /// The covariance of a fit's two constants of the curve.
  package struct CurveCovariance: Equatable, Sendable {
    /// In dB².
    package var measuredPower: Double
    package var exponent: Double
    /// That of both, in dB.
    package var cross: Double

    package init(measuredPower: Double, exponent: Double, cross: Double) {
      (self.measuredPower, self.exponent, self.cross) = (measuredPower, exponent, cross)
    }
  }

  /// Creates constants; the power is in dBm at 1 m, and deviations are in dB.
  public init(
    measuredPower: Double, exponent: Double, sigma: Double, packetSigma: Double? = nil
  ) {
    self.measuredPower = measuredPower
    self.exponent = exponent
    self.sigma = sigma
    self.packetSigma = packetSigma
  }
}

extension PathLossGroup {
  /// The constants, or nil where the fit could not determine them or they cannot give a distance.
  public var constants: PathLossConstants? {
    guard let measuredPower, let exponent, let sigma, exponent > 0, sigma > 0,
      measuredPower.isFinite, exponent.isFinite, sigma.isFinite
    else { return nil }
    let own = successiveDeviation.flatMap { $0.isFinite && $0 >= 0 ? min($0, sigma) : nil }
    var constants = PathLossConstants(
      measuredPower: measuredPower, exponent: exponent, sigma: sigma, packetSigma: own)
    if let powerError, let exponentError, let powerExponentCovariance,
      [powerError, exponentError].allSatisfy({ (1e-6...1e6).contains($0) }),
      abs(powerExponentCovariance) <= powerError * exponentError
    {
      constants.curveCovariance = PathLossConstants.CurveCovariance(
        measuredPower: powerError * powerError, exponent: exponentError * exponentError,
        cross: powerExponentCovariance)
    }
    return constants
  }
}

extension Calibration {
  /// The fit of a link's own beacon, receiver or series that gives distances, or the file's only
  /// fit.
  package func ownGroup(beacon: String, receiver: String, trace: String) -> PathLossGroup? {
    let own = groups.first { group in
      group.key != "pooled" && (group.series == nil || group.series == trace)
        && (group.beacon == nil || group.beacon == beacon)
        && (group.receiver == nil || group.receiver == receiver) && group.constants != nil
    }
    return own ?? (groups.count == 1 && groups[0].constants != nil ? groups[0] : nil)
  }
}

/// A value on the heap, copied when it is written.
///
/// A fit has some hundred numbers: inline, each type that has a calibration would have code of
/// kilobytes to copy them.
@propertyWrapper
public struct Boxed<Value: Sendable>: Sendable {
  private var storage: [Value]

  /// Creates a box with a value.
  public init(wrappedValue: Value) { storage = [wrappedValue] }

  /// The value in the box.
  public var wrappedValue: Value {
    get { storage[0] }
    set { storage[0] = newValue }
  }
}

extension Boxed: Equatable where Value: Equatable {}

extension Boxed: Codable where Value: Codable {
  public init(from decoder: any Decoder) throws {
    self.init(wrappedValue: try Value(from: decoder))
  }
  public func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}
