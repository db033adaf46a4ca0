public import Sightings

/// The positions that one algorithm gave, as a trace keeps them.
public struct StoredPositions: Equatable, Sendable {
  /// The group under `/positions`.
  public var name: String
  /// The algorithm as it was written, with its parameters.
  public var algorithm: String
  /// What else the positions depend on, in words, by attribute: `epoch`, `window`, `levels` and so
  /// on.
  public var settings: [String: String]
  public var rows: [StoredPosition]

  public init(name: String, algorithm: String, settings: [String: String], rows: [StoredPosition]) {
    (self.name, self.algorithm, self.settings, self.rows) = (name, algorithm, settings, rows)
  }

  /// Whether a text may be the name: that of a group, which has no slashes.
  public static func isName(_ text: String) -> Bool {
    !text.isEmpty && text != "." && text.utf8.count <= 128
      && !text.utf8.contains { $0 == UInt8(ascii: "/") || $0 < 0x20 }
  }
}

/// The answer about one node at one epoch; numbers are NaN where there are none.
public struct StoredPosition: Equatable, Sendable {
  /// Nanoseconds since the Unix epoch.
  public var time: Int64
  public var role: NodeRole
  /// Index among the nodes of that role.
  public var node: UInt32
  public var trace: UInt16
  /// Metres.
  public var x = Double.nan
  public var y = Double.nan
  public var z = Double.nan
  /// Elements of the covariance in square metres.
  public var varianceX = Double.nan
  public var covarianceXY = Double.nan
  public var varianceY = Double.nan
  public var covarianceXZ = Double.nan
  public var covarianceYZ = Double.nan
  public var varianceZ = Double.nan
  /// Anchors heard in the window.
  public var anchors: UInt32 = 0
  /// Names; empty for none.
  public var room = ""
  public var spot = ""
  /// Why there is no position, or no covariance; empty where there is one.
  public var refusal = ""
  public var withoutCovariance = ""

  public init(time: Int64, role: NodeRole, node: UInt32, trace: UInt16) {
    (self.time, self.role, self.node, self.trace) = (time, role, node, trace)
  }
}
