import Filtering

/// Puts levels, which come in order of time or later still, back into the order of the rows.
///
/// Memory grows with how far levels are behind their rows.
struct RowOrder {
  private var levels: [Float] = []
  private var variances: [Float] = []
  private var isKnown: [Bool] = []
  /// Row of the first of them.
  private var first = 0

  mutating func place(_ rows: borrowing LevelRows) {
    for index in 0..<rows.count {
      let place = rows.row[index] - first
      if place >= levels.count { grow(to: place + 1) }
      levels[place] = Float(rows.rssi[index])
      variances[place] = Float(rows.variance[index])
      isKnown[place] = true
    }
  }

  private mutating func grow(to count: Int) {
    let more = max(count, levels.count + 1024) - levels.count
    levels.append(contentsOf: repeatElement(.nan, count: more))
    variances.append(contentsOf: repeatElement(.nan, count: more))
    isKnown.append(contentsOf: repeatElement(false, count: more))
  }

  /// Hands over the levels of the rows up to the first that has none yet, in whole blocks.
  ///
  /// - Parameter block: rows in a block; the rest stays until it has as many.
  mutating func takeBlocks(
    of block: Int, _ body: (_ levels: [Float], _ variances: [Float]) throws -> Void
  ) rethrows {
    let ready = isKnown.firstIndex(of: false) ?? isKnown.count
    var taken = 0
    while ready - taken >= block, block > 0 {
      try body(Array(levels[taken..<taken + block]), Array(variances[taken..<taken + block]))
      taken += block
    }
    drop(taken)
  }

  /// Hands over all that is left.
  mutating func takeRest(_ body: (_ levels: [Float], _ variances: [Float]) throws -> Void) rethrows
  {
    let ready = isKnown.firstIndex(of: false) ?? isKnown.count
    if ready > 0 { try body(Array(levels[..<ready]), Array(variances[..<ready])) }
    drop(ready)
  }

  private mutating func drop(_ count: Int) {
    levels.removeFirst(count)
    variances.removeFirst(count)
    isKnown.removeFirst(count)
    first += count
  }
}
