package import Geometry
import NumericalMethods
import RealModule

/// The links between receivers and beacons at known places, heard and unheard.
///
/// The mean level of beacon j at receiver i is
///
///     y = P_j + G_i - 10 n log10 d - Σ w_k c_k + S + a
///
/// with the numbers c_k of crossed walls of each kind and their losses w_k. The shadowing S is one
/// for both directions of a pair of places, a one for each link. P_j, G_i, n, w_k, S and a are
/// normal. Powers and offsets are identified only by their sum; the offsets have the mean 0.
package struct AnchorLinks: Sendable {
  /// A link that was heard, or could have been.
  package struct Link: Sendable {
    package var beacon: Int
    package var receiver: Int
    /// The mean level in dBm; nil for a link that was not heard.
    package var level: Double?
    package var packets: Double

    package init(beacon: Int, receiver: Int, level: Double?, packets: Double = 1) {
      (self.beacon, self.receiver, self.level) = (beacon, receiver, level)
      self.packets = packets
    }
  }

  package var links: [Link]
  /// The places of anchors; a beacon and a receiver at one place are one anchor.
  package var places: [Point]
  package var heights: [Double]
  /// The anchor of each beacon and of each receiver.
  package var beacons: [Int]
  package var receivers: [Int]
  /// The kinds of walls.
  package var kinds: [String] = []
  /// Returns the number of walls of each kind between two places.
  package var walls: @Sendable (Point, Point) -> [Double] = { _, _ in [] }
  /// The level in dBm below which nothing is heard; nil = the lowest level of a heard link.
  package var sensitivity: Double?

  package init(
    _ links: [Link], places: [Point], heights: [Double], beacons: [Int], receivers: [Int]
  ) {
    (self.links, self.places, self.heights) = (links, places, heights)
    (self.beacons, self.receivers) = (beacons, receivers)
  }

  /// The level below which nothing is heard, in dBm.
  var limit: Double { sensitivity ?? links.compactMap(\.level).min() ?? -100 }

  /// The anchors of a link: that of its beacon, and that of its receiver.
  func ends(_ link: Link) -> (Int, Int) { (beacons[link.beacon], receivers[link.receiver]) }

  /// Returns what the exponent and each wall loss multiply in a link, if one of its anchors is at
  /// another place.
  func columns(_ link: Link, moving anchor: Int? = nil, to place: Point? = nil) -> [Double] {
    let (from, to, square) = geometry(link, moving: anchor, to: place)
    return [-5 * Double.log10(square)] + walls(from, to).map { -$0 }
  }

  /// Returns the distance between the anchors of a link, at least half a metre.
  package func distance(_ link: Link) -> Double { geometry(link).square.squareRoot() }

  /// Returns the places of both ends and the square of their distance in space.
  private func geometry(
    _ link: Link, moving anchor: Int? = nil, to place: Point? = nil
  ) -> (from: Point, to: Point, square: Double) {
    let (a, b) = ends(link)
    func at(_ end: Int) -> Point { end == anchor ? place ?? places[end] : places[end] }
    let (from, to) = (at(a), at(b))
    let rise = heights[a] - heights[b]
    let height = rise.isFinite ? rise : 0
    // Below half a metre antennas are in each other's near field.
    let square = max(
      (from.x - to.x) * (from.x - to.x) + (from.y - to.y) * (from.y - to.y) + height * height, 0.25)
    return (from, to, square)
  }

  /// The hyper-parameters: standard deviations in dB.
  package struct Deviations: Equatable, Sendable {
    /// The deviation of the shadowing of a pair of anchors, and of one direction.
    package var shadowing = 4.0
    package var direction = 1.5
    /// The deviation of a beacon's power and of a receiver's offset.
    package var power = 3.0
    package var offset = 2.0

    package init() {}

    init(logarithms: [Double]) {
      let values = logarithms.map { Double.exp($0) }
      (shadowing, direction, power, offset) = (values[0], values[1], values[2], values[3])
    }

    var logarithms: [Double] {
      [shadowing, direction, power, offset].map { Double.log($0) }
    }
  }

  /// The prior means and deviations of the mean power in dBm, of the exponent, and of wall losses
  /// in dB.
  static let (power, exponent, wall) = (
    (mean: -60.0, deviation: 15.0), (mean: 2.2, deviation: 0.4), (mean: 4.0, deviation: 4.0)
  )
  /// The standard deviation of a packet's level, in dB.
  static let packetNoise = 3.5

  /// The prior means of the exponent and the wall losses, and their variances.
  var columnPriors: (means: [Double], variances: [Double]) {
    let (n, w) = (Self.exponent, Self.wall)
    return (
      [n.mean] + kinds.map { _ in w.mean },
      [n.deviation * n.deviation] + kinds.map { _ in w.deviation * w.deviation }
    )
  }

  /// Returns the covariance of links besides the exponent, the walls and the noise of a link, row by
  /// row.
  func covariance(_ deviations: Deviations) -> [Double] {
    var matrix = [Double](repeating: 0, count: links.count * links.count)
    let pairs = links.map { link -> SIMD2<Int> in
      let (a, b) = ends(link)
      return [min(a, b), max(a, b)]
    }
    let (s, p, g) = (
      deviations.shadowing * deviations.shadowing, deviations.power * deviations.power,
      deviations.offset * deviations.offset
    )
    for (i, one) in links.enumerated() {
      for (j, other) in links[...i].enumerated() {
        var sum = Self.power.deviation * Self.power.deviation
        if pairs[i] == pairs[j] { sum += s }
        if one.beacon == other.beacon { sum += p }
        if one.receiver == other.receiver { sum += g }
        matrix[i * links.count + j] = sum
        matrix[j * links.count + i] = sum
      }
    }
    return matrix
  }

  /// Returns the variance of a link's own error, in dB².
  func noise(_ link: Link, _ deviations: Deviations) -> Double {
    deviations.direction * deviations.direction
      + (link.level == nil ? 0 : Self.packetNoise * Self.packetNoise / max(link.packets, 1))
  }
}
