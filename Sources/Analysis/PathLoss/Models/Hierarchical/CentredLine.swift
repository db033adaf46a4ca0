/// The rows of a hierarchical fit about their least-squares line: near 0, no digits are lost.
struct CentredLine {
  /// The mean of x over packets.
  let x: Double
  /// The line's level there and its slope.
  let level: Double
  let slope: Double
  /// Means about x and the line.
  let rows: [MixedModel.Row]
  /// Sums over packets about their rows' means, along the line.
  let within: (xx: Double, xy: Double, yy: Double)
  /// How far rows are from the line, in packet deviations, about; 1 where packets cannot know.
  let ratio: Double
  /// Whether any packet is off the line.
  let isNoisy: Bool

  init(_ sums: [PositionSums]) {
    let count = sums.reduce(0) { $0 + $1.n }
    let centre = sums.reduce(0) { $0 + $1.x } / count
    let middle = sums.reduce(0) { $0 + $1.y } / count
    var within = (xx: 0.0, xy: 0.0, yy: 0.0)
    var (xx, xy) = (0.0, 0.0)
    var rows = sums.map { one in
      let (x, y) = (one.x / one.n, one.y / one.n)
      let own = (one.xx - one.x * x, one.xy - one.x * y, one.yy - one.y * y)
      // What rounding leaves of packets that are all alike is 0.
      let isSpread = own.0 > 1e-12 * one.xx
      within.xx += isSpread ? own.0 : 0
      within.xy += isSpread ? own.1 : 0
      within.yy += own.2 > 1e-12 * one.yy ? own.2 : 0
      xx += one.n * (x - centre) * (x - centre)
      xy += one.n * (x - centre) * (y - middle)
      return MixedModel.Row(n: one.n, x: x - centre, y: y - middle)
    }
    let slope = (xy + within.xy) / (xx + within.xx)
    for index in rows.indices { rows[index].y -= slope * rows[index].x }
    let rest = max(0, within.yy - 2 * slope * within.xy + slope * slope * within.xx)
    let between = rows.reduce(0) { $0 + $1.n * $1.y * $1.y }
    let spare = count - Double(rows.count)
    self.x = centre
    level = middle
    self.slope = slope
    self.rows = rows
    self.within = (within.xx, within.xy - slope * within.xx, rest)
    let ratio = rest > 0 && spare > 0 ? (between / count / (rest / spare)).squareRoot() : 1
    self.ratio = min(100, max(0.1, ratio))
    let scale = sums.reduce(0) { $0 + $1.yy } - count * middle * middle
    isNoisy = rest + between > 1e-18 * max(scale, count)
  }
}
