public import Geometry
public import Positioning
public import Sites

/// The answer about one moving node at one instant.
public struct LocatedPosition: Sendable {
  /// Nanoseconds since the Unix epoch.
  public var time: Int64
  public var node: MovingNode
  public var outcome: Outcome
  /// How many were heard in the window.
  public var anchors: Int
  /// The smallest room of the site that holds the position.
  public var room: String?
  /// The spot at which the node is.
  public var spot: String?

  public init(time: Int64, node: MovingNode, outcome: Outcome, anchors: Int) {
    self.time = time
    self.node = node
    self.outcome = outcome
    self.anchors = anchors
  }

  public var estimate: Estimate? { outcome.estimate }

  /// The 95 % ellipse in the plane.
  public var ellipse: ErrorEllipse? {
    estimate?.uncertainty.covariance.flatMap(ErrorEllipse.init)?.scaled(toHold: 0.95)
  }

  /// The reason why there is no position.
  public var refusal: Refusal? { outcome.refusal }

  /// The reason why there is a position without a covariance.
  public var withoutCovariance: Uncertainty.Reason? { outcome.withoutCovariance }
}

/// A moving node has reached a spot, or left it.
public struct SpotEvent: Sendable {
  public enum Kind: String, Sendable {
    case reached = "spot-reached"
    case left = "spot-left"
  }

  /// Nanoseconds since the Unix epoch.
  public var time: Int64
  public var kind: Kind
  public var spot: Site.Spot
  public var node: MovingNode
  /// Nil where the node is not heard any more.
  public var position: Point?
  /// That it is within the radius; nil where it is not heard any more.
  public var probability: Double?
}

/// Receives positions and events, those of a stream as soon as they are final.
public protocol PositionSink: AnyObject {
  func receive(_ position: LocatedPosition) throws
  func receive(_ event: SpotEvent) throws
  /// Hands on what is buffered: the next sighting may be long in coming.
  func flush() throws
}

/// Several receivers, each of which gets everything.
public final class PositionSinks: PositionSink {
  private let sinks: [any PositionSink]

  /// - Parameter sinks: nil = none there.
  public init(_ sinks: [(any PositionSink)?]) { self.sinks = sinks.compactMap(\.self) }

  public func receive(_ position: LocatedPosition) throws {
    for sink in sinks { try sink.receive(position) }
  }

  public func receive(_ event: SpotEvent) throws { for sink in sinks { try sink.receive(event) } }

  public func flush() throws { for sink in sinks { try sink.flush() } }
}
