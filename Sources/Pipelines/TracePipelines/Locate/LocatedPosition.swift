package import Geometry
package import Positioning
package import Sites

/// The answer about one moving node at one instant.
package struct LocatedPosition: Sendable {
  /// Nanoseconds since the Unix epoch.
  package var time: Int64
  package var node: MovingNode
  package var outcome: Outcome
  /// How many were heard in the window.
  package var anchors: Int
  /// The smallest room of the site that holds the position.
  package var room: String?
  /// The spot at which the node is.
  package var spot: String?

  package init(time: Int64, node: MovingNode, outcome: Outcome, anchors: Int) {
    self.time = time
    self.node = node
    self.outcome = outcome
    self.anchors = anchors
  }

  package var estimate: Estimate? { outcome.estimate }

  /// The 95 % ellipse in the plane.
  package var ellipse: ErrorEllipse? {
    estimate?.uncertainty.covariance.flatMap(ErrorEllipse.init)?.scaled(toHold: 0.95)
  }

  /// The reason why there is no position.
  package var refusal: Refusal? { outcome.refusal }

  /// The reason why there is a position without a covariance.
  package var withoutCovariance: Uncertainty.Reason? { outcome.withoutCovariance }
}

/// A moving node has reached a spot, or left it.
package struct SpotEvent: Sendable {
  package enum Kind: String, Sendable {
    case reached = "spot-reached"
    case left = "spot-left"
  }

  /// Nanoseconds since the Unix epoch.
  package var time: Int64
  package var kind: Kind
  package var spot: Site.Spot
  package var node: MovingNode
  /// Nil where the node is not heard any more.
  package var position: Point?
  /// That it is within the radius; nil where it is not heard any more.
  package var probability: Double?
}

/// Receives positions and events, those of a stream as soon as they are final.
package protocol PositionSink: AnyObject {
  func receive(_ position: LocatedPosition) throws
  func receive(_ event: SpotEvent) throws
  /// Hands on what is buffered: the next sighting may be long in coming.
  func flush() throws
}

/// Several receivers, each of which gets everything.
package final class PositionSinks: PositionSink {
  private let sinks: [any PositionSink]

  /// - Parameter sinks: nil = none there.
  package init(_ sinks: [(any PositionSink)?]) { self.sinks = sinks.compactMap(\.self) }

  package func receive(_ position: LocatedPosition) throws {
    for sink in sinks { try sink.receive(position) }
  }

  package func receive(_ event: SpotEvent) throws { for sink in sinks { try sink.receive(event) } }

  package func flush() throws { for sink in sinks { try sink.flush() } }
}
