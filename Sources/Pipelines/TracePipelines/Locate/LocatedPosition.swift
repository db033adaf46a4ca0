public import Geometry
public import Positioning
public import Sites

/// The answer about one moving node at one instant.
public struct LocatedPosition: Sendable {
  /// The time of the position, in nanoseconds since the Unix epoch.
  public var time: Int64
  /// The node that was located.
  public var node: MovingNode
  /// The position, or the reason why there is none.
  public var outcome: Outcome
  /// The number of anchors that were heard in the window.
  public var anchors: Int
  /// The name of the floor in a building.
  public var floor: String?
  /// The probability of each floor of the building, by name; empty if it is unknown.
  public var floorProbabilities: [String: Double] = [:]
  /// The announced room or, without trained rooms, the smallest of the site that holds the position.
  public var room: String?
  /// The probability that the node is in that room; `nil` without a room or a covariance.
  public var roomProbability: Double?
  /// The probability of each trained room, by name; empty without trained rooms.
  public var roomProbabilities: [String: Double] = [:]
  /// The time at which the announced room was announced, in nanoseconds since the Unix epoch.
  public var roomSince: Int64?
  /// The spot at which the node is.
  public var spot: String?

  /// Creates an answer; the time is in nanoseconds since the Unix epoch.
  public init(time: Int64, node: MovingNode, outcome: Outcome, anchors: Int) {
    self.time = time
    self.node = node
    self.outcome = outcome
    self.anchors = anchors
  }

  /// The probability that the node is on that floor; nil if it is unknown.
  public var floorProbability: Double? { floor.flatMap { floorProbabilities[$0] } }

  /// The position with its uncertainty; nil if the algorithm refused to answer.
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

/// A moving node has reached a spot or a room, or left it.
public struct PlaceEvent: Sendable {
  /// The arrival of a node at a place, or its departure.
  public enum Kind: String, Sendable {
    /// The node arrived at the spot.
    case spotReached = "spot-reached"
    /// The node left the spot.
    case spotLeft = "spot-left"
    /// The node entered the room.
    case roomEntered = "room-entered"
    /// The node left the room.
    case roomLeft = "room-left"
  }

  /// The place that a node reached or left.
  public enum Place: Sendable {
    /// A spot of the site.
    case spot(Site.Spot)
    /// A trained room, with the 95 % interval of the time at which the node came or went, in
    /// nanoseconds since the Unix epoch; nil for the first room.
    case room(String, between: ClosedRange<Int64>?)
  }

  /// The time of the event, in nanoseconds since the Unix epoch; for a room that of its announcement.
  public var time: Int64
  /// The kind of the event.
  public var kind: Kind
  /// The place that the node reached or left.
  public var place: Place
  /// The node that moved.
  public var node: MovingNode
  /// The position of the node; nil if it is unknown.
  public var position: Point?
  /// The probability that the node is there; nil if it is not heard any more.
  public var probability: Double?
}

/// Receives positions and events, those of a stream as soon as they are final.
public protocol PositionSink: AnyObject {
  /// Receives a position.
  func receive(_ position: LocatedPosition) throws
  /// Receives the arrival of a node at a place, or its departure.
  func receive(_ event: PlaceEvent) throws
  /// Passes on buffered output, because the next sighting may be long in coming.
  func flush() throws
}

/// Several receivers, each of which gets everything.
public final class PositionSinks: PositionSink {
  private let sinks: [any PositionSink]

  /// Creates one receiver from several.
  ///
  /// - Parameter sinks: the receivers; nil ones are left out.
  public init(_ sinks: [(any PositionSink)?]) { self.sinks = sinks.compactMap(\.self) }

  public func receive(_ position: LocatedPosition) throws {
    for sink in sinks { try sink.receive(position) }
  }

  public func receive(_ event: PlaceEvent) throws { for sink in sinks { try sink.receive(event) } }

  public func flush() throws { for sink in sinks { try sink.flush() } }
}
