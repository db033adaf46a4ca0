/// How far along a path something is, as an exact fraction of the path's length.
struct PathFraction: Comparable, Sendable {
  /// Of either sign; below 2^84, as the denominator.
  let numerator: Int128
  let denominator: Int128

  /// - Parameter denominator: not zero.
  init(_ numerator: Int128, _ denominator: Int128) {
    self.numerator = denominator < 0 ? -numerator : numerator
    self.denominator = denominator < 0 ? -denominator : denominator
  }

  /// Whether it is on the path and not one of its ends.
  var isBetweenEnds: Bool { numerator > 0 && numerator < denominator }

  static func == (a: Self, b: Self) -> Bool { order(a, b) == 0 }
  static func < (a: Self, b: Self) -> Bool { order(a, b) < 0 }

  private static func order(_ a: Self, _ b: Self) -> Int {
    let left = a.numerator.multipliedFullWidth(by: b.denominator)
    let right = b.numerator.multipliedFullWidth(by: a.denominator)
    if left.high != right.high { return left.high < right.high ? -1 : 1 }
    if left.low != right.low { return left.low < right.low ? -1 : 1 }
    return 0
  }
}
