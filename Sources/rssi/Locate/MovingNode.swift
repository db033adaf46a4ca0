import Sightings

/// A node whose position is asked, in one trace: a receiver among fixed beacons, or a beacon among
/// fixed receivers.
struct MovingNode: Hashable {
  /// Row of the tables that sightings point into.
  var trace: UInt16
  var role: NodeRole
  var index: UInt32
  var traceName: String
  var id: String
}

extension MovingNode: Comparable {
  /// In the order of their names.
  static func < (a: MovingNode, b: MovingNode) -> Bool {
    (a.traceName, a.id, a.role.rawValue) < (b.traceName, b.id, b.role.rawValue)
  }
}
