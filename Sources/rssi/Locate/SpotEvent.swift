import Geometry
import Positioning
import Sites

/// A moving node has reached a spot, or left it.
struct SpotEvent: Sendable {
  enum Kind: String {
    case reached = "spot-reached"
    case left = "spot-left"
  }

  /// Nanoseconds since the Unix epoch.
  var time: Int64
  var kind: Kind
  var spot: Site.Spot
  var node: MovingNode
  /// Nil where the node is not heard any more.
  var position: Point?
  /// That it is within the radius; nil where it is not heard any more.
  var probability: Double?
}
