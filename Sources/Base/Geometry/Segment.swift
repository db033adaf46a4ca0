/// The straight line between two places, such as a piece of a wall, in metres.
public struct Segment: Hashable, Sendable {
  public var from: Point
  public var to: Point

  @inlinable public init(from: Point, to: Point) {
    self.from = from
    self.to = to
  }
}
