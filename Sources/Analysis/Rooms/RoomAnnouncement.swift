/// The room that is announced for a node, which changes only when another one is probable enough.
///
/// A room is announced once its probability reaches the threshold, and kept until that of another
/// one does. Thresholds above one half therefore never announce two rooms at once.
public struct RoomAnnouncement: Sendable {
  /// The probability at which a room is announced, above 0.5.
  public let threshold: Double
  /// The number of the announced room; nil before the first.
  public private(set) var room: Int?
  /// The last time at which the announced room had the threshold.
  private var latest: Int64?

  /// A change of the announced room.
  public struct Change: Equatable, Sendable {
    /// The room that the node left; nil for the first.
    public var left: Int?
    /// The room that the node entered; nil if the node is not heard any more.
    public var entered: Int?
    /// The times between which it happened, in nanoseconds since the Unix epoch: the last time at
    /// which the old room was probable enough, and the first at which the new one is.
    public var between: ClosedRange<Int64>
  }

  /// The permitted thresholds.
  public static let thresholds = 0.5.nextUp...0.9999
  /// The threshold without a setting.
  public static let defaultThreshold = 0.8

  /// Creates an announcement without a room.
  public init(threshold: Double = Self.defaultThreshold) { self.threshold = threshold }

  /// Handles the probabilities of the rooms at the next time.
  public mutating func update(_ probabilities: [Double], at time: Int64) -> Change? {
    let next = probabilities.indices.first { probabilities[$0] >= threshold }
    guard let next, next != room else {
      if next != nil { latest = time }
      return nil
    }
    defer { (room, latest) = (next, time) }
    return Change(left: room, entered: next, between: min(latest ?? time, time)...time)
  }

  /// Handles the end of reception: the announced room is left.
  public mutating func end(at time: Int64) -> Change? {
    defer { (room, latest) = (nil, nil) }
    return room.map { Change(left: $0, entered: nil, between: min(latest ?? time, time)...time) }
  }
}
