import Geometry

/// Square cells over a site, each with the walls whose rectangles reach into it.
///
/// It only leaves out walls that a path cannot meet; a wall may be given more than once.
struct WallGrid: Sendable {
  private static let maximumColumns = 64.0
  private var origin = Micrometres(x: 0, y: 0)
  /// The side of a cell.
  private var side: Int64 = 1
  private var columns = 0
  private var rows = 0
  private var cells: [[Int32]] = []

  init(_ segments: [WallSegment]) {
    let ends = segments.flatMap { [$0.from, $0.to] }
    guard let first = ends.first else { return }
    let low = ends.reduce(first) { Micrometres(x: min($0.x, $1.x), y: min($0.y, $1.y)) }
    let high = ends.reduce(first) { Micrometres(x: max($0.x, $1.x), y: max($0.y, $1.y)) }
    let extent = high - low
    // About one wall a cell; no more cells than that, since a long wall is in many of them.
    let count = Int64(min(Double(segments.count).squareRoot().rounded(.up), Self.maximumColumns))
    origin = low
    side = max(1, max(extent.x, extent.y) / count + 1)
    columns = Int(extent.x / side) + 1
    rows = Int(extent.y / side) + 1
    // A local array, which nothing else holds while it is filled.
    var cells: [[Int32]] = Array(repeating: [], count: columns * rows)
    for (i, segment) in segments.enumerated() {
      let (from, to) = (segment.from - low, segment.to - low)
      forEachCell(from: from, along: to - from) { cells[$0].append(Int32(i)) }
    }
    self.cells = cells
  }

  /// Calls for every wall that the path may meet.
  func forEach(from start: Micrometres, along path: Micrometres, _ body: (Int) -> Void) {
    forEachCell(from: start - origin, along: path) { cell in
      for i in cells[cell] { body(Int(i)) }
    }
  }

  /// Calls for the cells that a line reaches, column by column, with one micrometre or more to
  /// spare.
  ///
  /// - Parameter start: counted from the grid's origin.
  private func forEachCell(
    from start: Micrometres, along path: Micrometres, _ body: (Int) -> Void
  ) {
    let (left, right) = path.x < 0 ? (start.x + path.x, start.x) : (start.x, start.x + path.x)
    let (bottom, top) = path.y < 0 ? (start.y + path.y, start.y) : (start.y, start.y + path.y)
    let firstColumn = max(0, index(left))
    let lastColumn = min(columns - 1, index(right))
    guard firstColumn <= lastColumn else { return }
    let slope = path.x == 0 ? 0 : Double(path.y) / Double(path.x)
    for column in firstColumn...lastColumn {
      var (low, high) = (bottom, top)
      if path.x != 0 {
        let west = max(left, Int64(column) * side)
        let east = min(right, Int64(column + 1) * side)
        let y0 = Double(start.y) + slope * Double(west - start.x)
        let y1 = Double(start.y) + slope * Double(east - start.x)
        // All terms are below 2^42, so that their roundings are far below a micrometre.
        low = max(bottom, Int64(min(y0, y1).rounded(.down)) - 2)
        high = min(top, Int64(max(y0, y1).rounded(.up)) + 2)
      }
      let firstRow = max(0, index(low))
      let lastRow = min(rows - 1, index(high))
      if firstRow > lastRow { continue }
      for row in firstRow...lastRow { body(column * rows + row) }
    }
  }

  /// The column or row of a coordinate; below zero outside.
  private func index(_ coordinate: Int64) -> Int {
    coordinate < 0 ? -1 : Int(coordinate / side)
  }
}
