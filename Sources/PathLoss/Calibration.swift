/// A calibration file: the fitted constants, how they were fitted and from what.
public struct Calibration: Codable, Equatable, Sendable {
  public var format = "rssi-calibration"
  public var formatVersion = 1
  public var toolVersion: String
  public var commandLine: String
  public var model = "log-distance"
  public var estimator = "least-squares"
  /// What the groups are: `pooled`, `beacon`, `receiver`, `series`, `link`, or several with commas.
  public var by: String
  public var groups: [PathLossGroup]
  /// All readings together, for links that no group is about.
  public var pooled: PathLossGroup
  /// Readings left out, by reason.
  public var excluded: [String: Int]
  public var inputs: [Input]

  /// A file that was fitted.
  public struct Input: Codable, Equatable, Sendable {
    public var name: String
    public var sha256: String

    public init(name: String, sha256: String) {
      self.name = name
      self.sha256 = sha256
    }
  }

  private enum CodingKeys: String, CodingKey {
    case format, model, estimator, by, groups, pooled, excluded, inputs
    case formatVersion = "format_version"
    case toolVersion = "tool_version"
    case commandLine = "command_line"
  }

  public init(
    toolVersion: String, commandLine: String, by: String, groups: [PathLossGroup],
    pooled: PathLossGroup, excluded: [String: Int], inputs: [Input]
  ) {
    self.toolVersion = toolVersion
    self.commandLine = commandLine
    self.by = by
    self.groups = groups
    self.pooled = pooled
    self.excluded = excluded
    self.inputs = inputs
  }
}

/// The constants that a positioning algorithm needs of a link.
public struct PathLossConstants: Equatable, Sendable {
  /// RSSI at 1 m, dBm.
  public var measuredPower: Double
  public var exponent: Double
  /// dB.
  public var sigma: Double

  public init(measuredPower: Double, exponent: Double, sigma: Double) {
    self.measuredPower = measuredPower
    self.exponent = exponent
    self.sigma = sigma
  }
}

extension PathLossGroup {
  /// The constants, or nil where the fit could not determine them or they cannot give a distance.
  public var constants: PathLossConstants? {
    guard let measuredPower, let exponent, let sigma, exponent > 0, sigma > 0,
      measuredPower.isFinite, exponent.isFinite, sigma.isFinite
    else { return nil }
    return PathLossConstants(measuredPower: measuredPower, exponent: exponent, sigma: sigma)
  }
}
