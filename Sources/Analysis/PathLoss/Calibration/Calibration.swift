public import Support

/// A calibration file: the fitted constants, the settings of the fit, and its inputs.
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
  /// The constants of all readings together, for links without a group.
  @Boxed public var pooled: PathLossGroup
  /// The random effects of a hierarchical fit; `nil` for other models.
  package var hierarchical: HierarchicalEffects?
  /// The numbers of excluded readings, by reason.
  public var excluded: [String: Int]
  /// The input files.
  public var inputs: [Input]
  /// The sufficient statistics of the fit, which allow parts to be combined exactly.
  package var stations: [Station]
  /// A sample of the readings with their times, sorted, to recognise them in other recordings;
  /// `nil` if times are unknown.
  package var sample: ReadingSample?

  /// An input file of a fit.
  public struct Input: Codable, Equatable, Sendable {
    /// The name of the file.
    public var name: String
    /// The SHA-256 of the file, 64 hexadecimal digits.
    public var sha256: String
    /// The trace that was made from the file and then fitted; `nil` if the file itself was fitted.
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

  /// Sets keys that files of older versions lack to the value that applied then.
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

  /// Rejects values that no fit writes, to detect damaged files.
  private func check(_ values: KeyedDecodingContainer<CodingKeys>) throws {
    func require(_ isSound: Bool, _ key: CodingKeys, _ words: String) throws {
      guard isSound else {
        throw DecodingError.dataCorruptedError(forKey: key, in: values, debugDescription: words)
      }
    }
    try require(ModelName(rawValue: model) != nil, .model, "unknown model \"\(model)\"")
    try require(
      PathLossEstimator(rawValue: estimator) != nil, .estimator,
      "unknown estimator \"\(estimator)\"")
    try require((try? settings.check()) != nil, .settings, "a value is out of range")
    try require(
      excluded.values.allSatisfy { (0..<1 << 53).contains($0) }, .excluded,
      "counts must be at least 0")
    try require(
      Set(stations.map(\.key)).count == stations.count, .stations, "duplicate station")
    var samples = 0
    for station in stations {
      for one in station.levels { samples += min(one.count, 1 << 32) }
      try require(samples < 1 << 53, .stations, "too many readings")
    }
  }
}

/// The path-loss constants of a link for positioning.
public struct PathLossConstants: Equatable, Sendable {
  /// The RSSI at 1 m, in dBm.
  public var measuredPower: Double
  /// The path-loss exponent n in P - 10 n log10(d).
  public var exponent: Double
  /// The standard deviation of one packet's level about the path-loss curve, in dB.
  public var sigma: Double
  /// The standard deviation of a packet's own error, which successive packets do not share, in dB,
  /// at most `sigma`; `nil` if it is unknown.
  public var packetSigma: Double?
  /// The covariance of the curve's constants; `nil` if the fit has none.
  package var curveCovariance: CurveCovariance?

  /// The covariance of a fit's two constants of the curve.
  package struct CurveCovariance: Equatable, Sendable {
    /// The variance of the measured power, in dB².
    package var measuredPower: Double
    package var exponent: Double
    /// The covariance of both, in dB.
    package var cross: Double

    package init(measuredPower: Double, exponent: Double, cross: Double) {
      (self.measuredPower, self.exponent, self.cross) = (measuredPower, exponent, cross)
    }
  }

  /// Creates constants; the power is in dBm at 1 m, and standard deviations are in dB.
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
  /// The constants, or `nil` if the fit could not determine them or they cannot give a distance.
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
  /// Returns the fit of a link's own beacon, receiver or series, if it gives distances, or else the
  /// file's only fit.
  package func ownGroup(beacon: String, receiver: String, trace: String) -> PathLossGroup? {
    let own = groups.first { group in
      group.key != "pooled" && (group.series == nil || group.series == trace)
        && (group.beacon == nil || group.beacon == beacon)
        && (group.receiver == nil || group.receiver == receiver) && group.constants != nil
    }
    return own ?? (groups.count == 1 && groups[0].constants != nil ? groups[0] : nil)
  }
}
