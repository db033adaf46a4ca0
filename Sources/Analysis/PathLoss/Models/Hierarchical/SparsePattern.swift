/// Which levels of random effects meet in a row, and how many packets they share: Zᵀ Z.
///
/// Levels become columns in the order of how many others they meet, so that what meets few, mostly
/// positions, is eliminated first and leaves little behind.
struct SparsePattern {
  /// For each effect, the column of each level.
  let columnsOfLevels: [[Int]]
  /// Above the diagonal: column k has the rows `rows[starts[k]..<starts[k + 1]]`.
  let starts: [Int]
  let rows: [Int]
  /// Packets shared, for each entry.
  let values: [Double]
  /// Packets of each column.
  let diagonal: [Double]
  private let effectOfColumn: [Int]

  /// - Parameters:
  ///   - levels: for each effect, the level of each row.
  ///   - weights: the packets of each row.
  init(levels: [[Int]], weights: [Double]) {
    var firsts: [Int] = []
    var size = 0
    for effect in levels {
      firsts.append(size)
      size += (effect.max() ?? -1) + 1
    }
    var diagonal = [Double](repeating: 0, count: size)
    var meetings: [(high: Int, low: Int, weight: Double)] = []
    for (row, weight) in weights.enumerated() {
      for (effect, place) in levels.indices.map({ ($0, firsts[$0] + levels[$0][row]) }) {
        diagonal[place] += weight
        for other in 0..<effect {
          meetings.append((place, firsts[other] + levels[other][row], weight))
        }
      }
    }
    meetings = Self.merged(meetings)
    var degrees = [Int](repeating: 0, count: size)
    for one in meetings {
      degrees[one.high] += 1
      degrees[one.low] += 1
    }
    let order = (0..<size).sorted { (degrees[$0], $0) < (degrees[$1], $1) }
    var columnOf = [Int](repeating: 0, count: size)
    for (column, place) in order.enumerated() { columnOf[place] = column }
    let entries = Self.merged(
      meetings.map { one in
        let (a, b) = (columnOf[one.high], columnOf[one.low])
        return (max(a, b), min(a, b), one.weight)
      })
    var starts = [Int](repeating: 0, count: size + 1)
    for entry in entries { starts[entry.high + 1] += 1 }
    for column in 0..<size { starts[column + 1] += starts[column] }
    var effectOfColumn = [Int](repeating: 0, count: size)
    columnsOfLevels = levels.indices.map { effect in
      let end = effect + 1 < firsts.count ? firsts[effect + 1] : size
      for place in firsts[effect]..<end { effectOfColumn[columnOf[place]] = effect }
      return (firsts[effect]..<end).map { columnOf[$0] }
    }
    self.starts = starts
    self.effectOfColumn = effectOfColumn
    self.diagonal = order.map { diagonal[$0] }
    rows = entries.map(\.low)
    values = entries.map(\.weight)
  }

  /// I + θ Zᵀ Z θ.
  func scale(by ratios: [Double], diagonal: inout [Double], values: inout [Double]) {
    for column in self.diagonal.indices {
      let ratio = ratios[effectOfColumn[column]]
      diagonal[column] = 1 + ratio * ratio * self.diagonal[column]
      for entry in starts[column]..<starts[column + 1] {
        values[entry] = ratio * ratios[effectOfColumn[rows[entry]]] * self.values[entry]
      }
    }
  }

  /// Sorted by the higher place, then the lower one, with the weights of the same pair added.
  private static func merged(
    _ meetings: [(high: Int, low: Int, weight: Double)]
  ) -> [(high: Int, low: Int, weight: Double)] {
    var merged: [(high: Int, low: Int, weight: Double)] = []
    for one in meetings.sorted(by: { ($0.high, $0.low) < ($1.high, $1.low) }) {
      if let last = merged.last, (last.high, last.low) == (one.high, one.low) {
        merged[merged.count - 1].weight += one.weight
      } else {
        merged.append(one)
      }
    }
    return merged
  }
}
