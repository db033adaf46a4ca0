package import Sightings

/// The positions that one algorithm gave, as a trace keeps them.
package struct StoredPositions: Equatable, Sendable {
  /// The group under `/positions`.
  package var name: String
  /// The algorithm as it was written, with its parameters.
  package var algorithm: String
  /// What else the positions depend on, in words, by attribute: `epoch`, `window`, `levels` and so
  /// on.
  package var settings: [String: String]
  package var rows: [StoredPosition]

  package init(name: String, algorithm: String, settings: [String: String], rows: [StoredPosition])
  {
    (self.name, self.algorithm, self.settings, self.rows) = (name, algorithm, settings, rows)
  }

  /// Whether a text may be the name: that of a group, which has no slashes.
  package static func isName(_ text: String) -> Bool {
    !text.isEmpty && text != "." && text.utf8.count <= 128
      && !text.utf8.contains { $0 == UInt8(ascii: "/") || $0 < 0x20 }
  }
}

/// The answer about one node at one epoch; numbers are NaN where there are none.
package struct StoredPosition: Equatable, Sendable {
  /// Nanoseconds since the Unix epoch.
  package var time: Int64
  package var role: NodeRole
  /// Index among the nodes of that role.
  package var node: UInt32
  package var trace: UInt16
  /// Metres.
  package var x = Double.nan
  package var y = Double.nan
  package var z = Double.nan
  /// Elements of the covariance in square metres.
  package var varianceX = Double.nan
  package var covarianceXY = Double.nan
  package var varianceY = Double.nan
  package var covarianceXZ = Double.nan
  package var covarianceYZ = Double.nan
  package var varianceZ = Double.nan
  /// Anchors heard in the window.
  package var anchors: UInt32 = 0
  /// Names; empty for none.
  package var room = ""
  package var spot = ""
  /// Why there is no position, or no covariance; empty where there is one.
  package var refusal = ""
  package var withoutCovariance = ""

  package init(time: Int64, role: NodeRole, node: UInt32, trace: UInt16) {
    (self.time, self.role, self.node, self.trace) = (time, role, node, trace)
  }
}
