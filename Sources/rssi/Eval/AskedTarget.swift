import Evaluation
import Geometry
import Positioning
import Sightings

/// One moving node in one trace: what is asked of it, and what was heard to answer.
struct AskedTarget {
  /// The trace, with the node where several nodes moved in it.
  var name: String
  var trace: String
  /// The moving node.
  var node: String
  var role: NodeRole
  /// Metres above the site's zero of heights: the median of its truth; nil where that has none.
  var height: Double?
  /// The file, as an index into the evaluation's inputs.
  var file: Int
  var epochs: [AskedEpoch]
  /// Its raw levels, to tell whether another recording is the same.
  var census = LevelCensus()

  /// Whether none of its anchors was heard at any epoch.
  var isSilent: Bool { epochs.allSatisfy { $0.levels.isEmpty } }

  /// Whether another target's readings are the same ones.
  func isSame(as other: AskedTarget) -> Bool {
    census.isPart(of: other.census) && other.census.isPart(of: census)
  }

  /// The role of the nodes that it is located by.
  var anchorRole: NodeRole { role == .receiver ? .beacon : .receiver }
}

/// One question about a moving node, and what its anchors were heard at.
struct AskedEpoch {
  /// Nanoseconds since the Unix epoch.
  var instant: Int64
  var asked: Int64
  /// The window's start, not included.
  var start: Int64
  var truth: Point
  /// Metres above the site's zero of heights; nil where the truth has none.
  var height: Double?
  /// Nil where visits were joined.
  var velocity: Velocity?
  /// One for each anchor heard in the window; `time` is that of its latest sighting.
  var levels: [Reading]
  /// Raw levels since the epoch before, in short bins; empty for stops.
  var readings: [Reading] = []

  var newest: Int64? { levels.map(\.time).max() }
}
