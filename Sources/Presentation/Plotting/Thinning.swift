/// A drawable row of a series: a place on the x axis and one or two on the y axis.
struct Row: Equatable {
  var x: Double
  var low: Double
  var high: Double
}

/// The reduction of rows to those that are visible, which keeps files small.
///
/// A series of up to `limit` rows is drawn as it is. Of a longer line, only the first, lowest,
/// highest and last row of each run of rows within one pixel's width are kept; of a longer band,
/// the run's lowest and highest edge. Both look the same. Of more points, one per cell of a grid is
/// kept, with as few pixels per cell as leave at most `limit` points.
struct Thinning {
  static let limit = 4_000

  var x: Extent
  var y: Extent
  /// The width of the plotting area, in pixels.
  var width: Int
  var height: Int

  /// Returns the unbroken pieces of a series.
  func pieces(_ shape: Series.Shape) -> [[Row]] {
    let pieces = whole(shape)
    guard pieces.reduce(0, { $0 + $1.count }) > Self.limit else { return pieces }
    return switch shape {
    case .points, .whiskers: [spread(pieces.flatMap(\.self))]
    case .line, .steps: pieces.map { runs($0).flatMap(extremes) }
    case .band: pieces.map { runs($0).flatMap(hull) }
    }
  }

  /// Returns the drawable rows, broken at rows that are not.
  private func whole(_ shape: Series.Shape) -> [[Row]] {
    let columns = shape.columns
    var pieces: [[Row]] = []
    var isOpen = false
    for index in columns.x.indices {
      let row = Row(
        x: columns.x[index], low: columns.y[0][index], high: columns.y[columns.y.count - 1][index])
      guard x.share(row.x) != nil, y.share(row.low) != nil, y.share(row.high) != nil else {
        isOpen = false
        continue
      }
      if !isOpen { pieces.append([]) }
      isOpen = true
      pieces[pieces.count - 1].append(row)
    }
    return pieces
  }

  /// Returns runs of rows that fall into the same column of pixels.
  private func runs(_ rows: [Row]) -> [ArraySlice<Row>] {
    var runs: [ArraySlice<Row>] = []
    var start = 0
    for index in rows.indices.dropFirst() + [rows.count]
    where index == rows.count || column(rows[index]) != column(rows[start]) {
      runs.append(rows[start..<index])
      start = index
    }
    return runs
  }

  private func column(_ row: Row) -> Double {
    ((x.share(row.x) ?? 0) * Double(width)).rounded(.down)
  }

  private func extremes(_ run: ArraySlice<Row>) -> [Row] {
    var lowest = run.startIndex
    var highest = run.startIndex
    for index in run.indices {
      if run[index].low < run[lowest].low { lowest = index }
      if run[index].low > run[highest].low { highest = index }
    }
    return Set([run.startIndex, lowest, highest, run.endIndex - 1]).sorted().map { run[$0] }
  }

  private func hull(_ run: ArraySlice<Row>) -> [Row] {
    guard let first = run.first, let last = run.last else { return [] }
    let low = run.reduce(first.low) { min($0, $1.low) }
    let high = run.reduce(first.high) { max($0, $1.high) }
    return Set([first.x, last.x]).sorted().map { Row(x: $0, low: low, high: high) }
  }

  private func spread(_ rows: [Row]) -> [Row] {
    var cell = 1.0
    while true {
      var taken: Set<Int> = []
      let kept = rows.filter { row in
        guard let across = x.share(row.x), let up = y.share(row.low),
          (0...1).contains(across), (0...1).contains(up)
        else { return false }
        let place = (Int(across * Double(width) / cell), Int(up * Double(height) / cell))
        return taken.insert(place.0 << 32 | place.1).inserted
      }
      if kept.count <= Self.limit { return kept }
      cell += 0.5
    }
  }
}
