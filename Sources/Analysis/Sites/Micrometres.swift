import Geometry
import Support

/// A place in whole micrometres, in which lines and crossings are computed without rounding.
///
/// Decimal coordinates are exact: (0.9, 0.3) is on the line from (0, 0) to (3, 1), which it is not
/// in binary fractions. Within 1000 km of the origin coordinates have 41 bits, areas 84, and
/// products of two areas fit 256.
struct Micrometres: Hashable, Sendable {
  /// The largest coordinate, in metres.
  static let limit = 1e6

  var x: Int64
  var y: Int64

  init(x: Int64, y: Int64) {
    self.x = x
    self.y = y
  }

  init(_ point: Point) throws(RSSIError) {
    guard abs(point.x) <= Self.limit, abs(point.y) <= Self.limit else { throw .badPosition(point) }
    self.init(x: Int64((point.x * 1e6).rounded()), y: Int64((point.y * 1e6).rounded()))
  }

  static func - (a: Self, b: Self) -> Self { Self(x: a.x - b.x, y: a.y - b.y) }

  /// Returns twice the area of the triangle between two vectors; positive if the other is to the
  /// left.
  func cross(_ other: Self) -> Int128 {
    Int128(x) * Int128(other.y) - Int128(y) * Int128(other.x)
  }

  func dot(_ other: Self) -> Int128 {
    Int128(x) * Int128(other.x) + Int128(y) * Int128(other.y)
  }

  /// Returns a Boolean value that is true if it is within the rectangle of two corners, including
  /// the border.
  func isInBox(_ a: Self, _ b: Self) -> Bool {
    x >= min(a.x, b.x) && x <= max(a.x, b.x) && y >= min(a.y, b.y) && y <= max(a.y, b.y)
  }
}
