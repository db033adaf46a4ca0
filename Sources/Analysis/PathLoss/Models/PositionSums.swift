/// Sums over the packets of one link at one position: all that a hierarchical fit needs of them.
///
/// With x = −10 log10(distance in m) and y = level in dBm.
public struct PositionSums: Equatable, Sendable {
  /// Which beacon: 0, 1, … without gaps.
  public var beacon: Int
  /// Which receiver: 0, 1, … without gaps.
  public var receiver: Int
  /// Which position: 0, 1, … without gaps. Links that share a position's offset share its number.
  public var position: Int
  /// Packets.
  public var n: Double
  public var x: Double
  public var xx: Double
  public var y: Double
  public var xy: Double
  public var yy: Double

  public init(
    beacon: Int, receiver: Int, position: Int, n: Double, x: Double, xx: Double, y: Double,
    xy: Double, yy: Double
  ) {
    self.beacon = beacon
    self.receiver = receiver
    self.position = position
    self.n = n
    self.x = x
    self.xx = xx
    self.y = y
    self.xy = xy
    self.yy = yy
  }

  /// Whether there is a packet, the indices are at least 0 and the sums can be those of real
  /// numbers.
  var isUsable: Bool {
    beacon >= 0 && receiver >= 0 && position >= 0 && n >= 1
      && [n, x, xx, y, xy, yy].allSatisfy(\.isFinite)
      && xx * n >= x * x * (1 - 1e-9) && yy * n >= y * y * (1 - 1e-9)
  }
}
