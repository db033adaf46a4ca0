/// Sums over the packets of one link at one position, as input of a hierarchical fit.
///
/// x = −10 log10(distance in m), and y is the level in dBm.
package struct PositionSums: Equatable, Sendable {
  /// The index of the beacon: 0, 1, … without gaps.
  package var beacon: Int
  /// The index of the receiver: 0, 1, … without gaps.
  package var receiver: Int
  /// The index of the position: 0, 1, … without gaps. Links that share a position's offset share
  /// its index.
  package var position: Int
  /// The index of a place that several links or visits share; `nil` if there is no such effect.
  package var place: Int?
  /// The index of a pose that several positions share; `nil` if there is no such effect.
  package var pose: Int?
  /// The number of packets.
  package var n: Double
  package var x: Double
  package var xx: Double
  package var y: Double
  package var xy: Double
  package var yy: Double

  package init(
    beacon: Int, receiver: Int, position: Int, n: Double, x: Double, xx: Double, y: Double,
    xy: Double, yy: Double, place: Int? = nil, pose: Int? = nil
  ) {
    self.place = place
    self.pose = pose
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

  /// A Boolean value that is true if there is a packet, the indices are at least 0 and the sums are
  /// those of real numbers.
  var isUsable: Bool {
    beacon >= 0 && receiver >= 0 && position >= 0 && place ?? 0 >= 0 && pose ?? 0 >= 0 && n >= 1
      && [n, x, xx, y, xy, yy].allSatisfy(\.isFinite)
      && xx * n >= x * x * (1 - 1e-9) && yy * n >= y * y * (1 - 1e-9)
  }
}
