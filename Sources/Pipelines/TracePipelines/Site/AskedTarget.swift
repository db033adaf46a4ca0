import Geometry
package import PathLoss
import Positioning
package import Sightings

/// One moving node in one trace: what is asked of it, and what was heard to answer.
package struct AskedTarget {
  /// The trace, with the node where several nodes moved in it.
  package var name: String
  package var trace: String
  /// The moving node.
  package var node: String
  package var role: NodeRole
  /// Metres above the site's zero of heights: the median of its truth; nil where that has none.
  package var height: Double?
  /// The file that it was read from.
  package var path: String
  package var epochs: [AskedEpoch]
  /// Its raw levels, sorted, to find out whether another recording has them.
  package var readings: ReadingSample

  package init(
    name: String? = nil, trace: String, node: String, role: NodeRole = .receiver,
    height: Double? = nil, path: String = "", epochs: [AskedEpoch],
    readings: ReadingSample = ReadingSample(capacity: 0)
  ) {
    self.name = name ?? trace
    self.trace = trace
    self.node = node
    self.role = role
    self.height = height
    self.path = path
    self.epochs = epochs
    self.readings = readings
  }

  /// A Boolean value that is true if none of its anchors was heard at any epoch.
  var isSilent: Bool { epochs.allSatisfy { $0.heard.levels.isEmpty } }

  /// The role of the nodes by which it is located.
  var anchorRole: NodeRole { role == .receiver ? .beacon : .receiver }
}
