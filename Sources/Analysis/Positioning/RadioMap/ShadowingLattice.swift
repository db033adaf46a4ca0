import Geometry
import NumericalMethods

/// An anchor's shadowing at the nodes of a square lattice, interpolated linearly, for algorithms
/// that evaluate it a million times.
struct ShadowingLattice: Sendable {
  private let origin: Point
  private let spacing: Double
  private let columns: Int
  private let rows: Int
  /// The offset and the standard deviation in dB at each node, followed by those of the next node
  /// in its row.
  private var nodes: [SIMD4<Float>] = []

  /// The median variance of the nodes, in dB².
  var typicalVariance: Double {
    let middle = Double(nodes.map { $0[1] }.sorted()[nodes.count / 2])
    return middle * middle
  }

  /// The largest number of nodes, which bounds the time to create a map.
  static let mostNodes = 2500.0

  /// - Parameters:
  ///   - places: The surveyed places; the lattice extends two lengths beyond them.
  ///   - length: The correlation length in metres; nodes are a quarter of it apart, at most half a
  ///     metre, unless there would be too many.
  init?(around places: some Sequence<Point>, length: Double) {
    guard let box = Bounds(around: places) else { return nil }
    origin = Point(x: box.minimum.x - 2 * length, y: box.minimum.y - 2 * length)
    let width = box.maximum.x - box.minimum.x + 4 * length
    let depth = box.maximum.y - box.minimum.y + 4 * length
    spacing = max(
      min(length / 4, 0.5), (width * depth / Self.mostNodes).squareRoot(),
      max(width, depth) / Self.mostNodes)
    columns = Int(width / spacing) + 2
    rows = Int(depth / spacing) + 2
  }

  /// The places of the nodes, row by row.
  var places: [Point] {
    (0..<rows * columns).map {
      Point(
        x: origin.x + Double($0 % columns) * spacing, y: origin.y + Double($0 / columns) * spacing)
    }
  }

  /// Appends the next node: the offset in dB and the variance in dB².
  mutating func append(offset: Double, variance: Double) {
    let node = SIMD2(Float(offset), Float(variance.squareRoot()))
    if nodes.count % columns > 0 { nodes[nodes.count - 1].highHalf = node }
    nodes.append(SIMD4(lowHalf: node, highHalf: node))
  }

  /// Returns ``shadowing(at:)`` at eight places, in metres from an origin.
  func shadowing(
    _ x: SIMD8<Float>, _ y: SIMD8<Float>, from corner: Point
  ) -> (offset: SIMD8<Float>, deviation: SIMD8<Float>) {
    let scale = Float(1 / spacing)
    let (left, low) = (Float(corner.x - origin.x) * scale, Float(corner.y - origin.y) * scale)
    let across = (x * scale + left).most(0).least(Float(columns - 1))
    let up = (y * scale + low).most(0).least(Float(rows - 1))
    let column = across.wholeBelow.least(Float(columns - 2))
    let row = up.wholeBelow.least(Float(rows - 2))
    let (u, v) = (across - column, up - row)
    let node = (row * Float(columns) + column).wholeBits
    @inline(__always)
    func value(_ lane: Int) -> SIMD2<Float> {
      let first = Int(node[lane])
      let below = nodes[first]
      let between = below + v[lane] * (nodes[first &+ columns] - below)
      return between.lowHalf + u[lane] * (between.highHalf - between.lowHalf)
    }
    // Constant lane indices keep the values in registers.
    let (a, b, c, d) = (value(0), value(1), value(2), value(3))
    let (e, f, g, h) = (value(4), value(5), value(6), value(7))
    return (
      SIMD8(a.x, b.x, c.x, d.x, e.x, f.x, g.x, h.x), SIMD8(a.y, b.y, c.y, d.y, e.y, f.y, g.y, h.y)
    )
  }

  /// Returns the interpolated shadowing; beyond the lattice, that of its nearest place.
  func shadowing(at place: Point) -> (offset: Double, deviation: Double) {
    let x = min(max((place.x - origin.x) / spacing, 0), Double(columns - 1) - 1e-9)
    let y = min(max((place.y - origin.y) / spacing, 0), Double(rows - 1) - 1e-9)
    let (column, row) = (Int(x), Int(y))
    let (u, v) = (Float(x - Double(column)), Float(y - Double(row)))
    let node = row * columns + column
    let below = nodes[node]
    let between = below + v * (nodes[node + columns] - below)
    let value = between.lowHalf + u * (between.highHalf - between.lowHalf)
    return (Double(value.x), Double(value.y))
  }
}
