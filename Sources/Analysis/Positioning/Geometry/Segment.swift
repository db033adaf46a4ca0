/// A straight piece of a wall, in metres.
public struct Segment: Hashable, Sendable {
  public var from: Point
  public var to: Point

  public init(from: Point, to: Point) {
    self.from = from
    self.to = to
  }
}
