import Geometry

/// An anchor's shadowing at the nodes of a square lattice, with straight lines in between: for
/// algorithms that ask a million times.
struct ShadowingLattice: Sendable {
  private let origin: Point
  private let spacing: Double
  private let columns: Int
  private let rows: Int
  /// The offset in dB and the standard deviation in dB, node by node.
  private var offsets: [Double] = []
  private var deviations: [Double] = []

  /// The median variance of the nodes, in dB².
  var typicalVariance: Double {
    let middle = deviations.sorted()[deviations.count / 2]
    return middle * middle
  }

  /// The most nodes, which bounds the time to make a map.
  static let mostNodes = 2500.0

  /// - Parameters:
  ///   - places: the survey's; the lattice reaches two lengths beyond them.
  ///   - length: in metres; nodes are a quarter of it apart, and half a metre at most, where they
  ///     are not too many: what is known changes from one surveyed place to the next.
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

  /// Fills the nodes in; offset in dB and variance in dB².
  mutating func fill(_ shadowing: (Point) -> (offset: Double, variance: Double)) {
    for row in 0..<rows {
      for column in 0..<columns {
        let (offset, variance) = shadowing(
          Point(x: origin.x + Double(column) * spacing, y: origin.y + Double(row) * spacing))
        offsets.append(offset)
        deviations.append(variance.squareRoot())
      }
    }
  }

  /// Beyond the lattice, what its nearest place says.
  func shadowing(at place: Point) -> (offset: Double, deviation: Double) {
    let x = min(max((place.x - origin.x) / spacing, 0), Double(columns - 1) - 1e-9)
    let y = min(max((place.y - origin.y) / spacing, 0), Double(rows - 1) - 1e-9)
    let (column, row) = (Int(x), Int(y))
    let (right, up) = (x - Double(column), y - Double(row))
    let node = row * columns + column
    func between(_ values: [Double]) -> Double {
      (1 - up) * ((1 - right) * values[node] + right * values[node + 1])
        + up * ((1 - right) * values[node + columns] + right * values[node + columns + 1])
    }
    return (between(offsets), between(deviations))
  }
}
