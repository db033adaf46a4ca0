package import Geometry

/// A corner of a walk: the receiver goes straight and evenly from each to the next.
package struct Waypoint: Hashable, Sendable {
  /// When the receiver is there, in nanoseconds since the Unix epoch.
  package let time: Int64
  /// Where that is, in metres.
  package let position: Point
}
