import Geometry

/// The square cells of all floors of a building in which a person may be.
///
/// Each floor has a lattice with a margin of closed cells, and the lattices follow each other in one
/// numbering. A shift by some columns and rows is then one offset for all cells of a floor, so that
/// motion needs neither lists of neighbours nor tests for borders.
struct FloorCells: Sendable {
  /// The lattice of one floor.
  struct Lattice: Sendable {
    /// The number of its first cell.
    var first: Int
    var columns: Int
    var rows: Int
    /// The centre of its first cell, in metres.
    var origin: Point

    /// The numbers of its cells.
    var cells: Range<Int> { first..<first + columns * rows }
  }

  /// The side of a cell in metres: a walker crosses it in two seconds.
  let side: Double
  let lattices: [Lattice]
  /// 1 for each open cell, else 0.
  private(set) var isOpen: [Float]

  /// The side of a cell in metres on floors from some extent on, in m².
  static let usualSide = 2.5
  private static let usualExtent = 2000.0
  /// The width of the margin of closed cells, in cells: the longest shift of ``FloorMotion``.
  static let margin = 3
  /// The distance from surveyed ways at which cells are open on floors without an outline, and on
  /// all floors, in metres.
  private static let (reach, certainReach) = (5.0, 1.5)
  /// The largest number of cells; on larger sites, cells are larger.
  private static let mostCells = 400_000

  var count: Int { isOpen.count }

  /// - Returns: `nil` without a surveyed place.
  init?(_ building: Building, survey: [SurveyPoint]) {
    let ways = building.floors.indices.map { floor in
      survey.filter { $0.floor == floor }.flatMap(\.places)
    }
    let areas = zip(building.floors, ways).map { floor, ways in
      Bounds(around: ways.widened(by: Self.reach) + (floor.outline?.corners ?? []))
    }
    let extents = areas.compactMap { $0?.area }
    guard !extents.isEmpty else { return nil }
    // Small floors are surveyed and walked more closely.
    let extent = extents.reduce(0, +) / Double(extents.count)
    var side = min(max((extent / Self.usualExtent).squareRoot(), 0.4), 1) * Self.usualSide
    var lattices = Self.lattices(areas, side: side)
    while (lattices.last?.cells.upperBound ?? 0) > Self.mostCells {
      side *= 1.5
      lattices = Self.lattices(areas, side: side)
    }
    (self.side, self.lattices) = (side, lattices)
    isOpen = [Float](repeating: 0, count: lattices.last?.cells.upperBound ?? 0)
    for (number, floor) in building.floors.enumerated() {
      let reach = floor.outline == nil ? Self.reach : Self.certainReach
      if let outline = floor.outline { open(outline, on: number) }
      if floor.outline == nil { open(ways[number], on: number, within: reach) }
      for room in floor.closed { close(room, on: number) }
      // Surveyed cells are open, although a plan may close them.
      open(ways[number], on: number, within: min(reach, Self.certainReach))
    }
  }

  private static func lattices(_ areas: [Bounds?], side: Double) -> [Lattice] {
    var first = 0
    return areas.map { area in
      let area = area ?? Bounds(minimum: Point(x: 0, y: 0), maximum: Point(x: 0, y: 0))
      func index(_ value: Double) -> Double { (value / side).rounded(.down) }
      let columns = index(area.maximum.x) - index(area.minimum.x) + 1
      let rows = index(area.maximum.y) - index(area.minimum.y) + 1
      // A limit on each keeps the product of absurd coordinates within an integer.
      let lattice = Lattice(
        first: first, columns: Int(min(columns, 1e6)) + 2 * margin,
        rows: Int(min(rows, 1e6)) + 2 * margin,
        origin: Point(
          x: (index(area.minimum.x) + 0.5 - Double(margin)) * side,
          y: (index(area.minimum.y) + 0.5 - Double(margin)) * side))
      first = lattice.cells.upperBound
      return lattice
    }
  }

  /// Returns the column and the row of a place on a floor, which may be outside of the lattice.
  func position(of place: Point, on floor: Int) -> (column: Int, row: Int) {
    let origin = lattices[floor].origin
    func index(_ value: Double) -> Int {
      Int(max(-1e9, min(1e9, (value / side).rounded())))
    }
    return (index(place.x - origin.x), index(place.y - origin.y))
  }

  /// Returns the cell that contains a place, or `nil` outside of the lattice.
  func cell(at place: Point, on floor: Int) -> Int? {
    let (column, row) = position(of: place, on: floor)
    let lattice = lattices[floor]
    guard (0..<lattice.columns).contains(column), (0..<lattice.rows).contains(row) else {
      return nil
    }
    return lattice.first + row * lattice.columns + column
  }

  /// Returns the centre of a cell of a floor.
  func centre(of cell: Int, on floor: Int) -> Point {
    let lattice = lattices[floor]
    let (row, column) = (cell - lattice.first).quotientAndRemainder(dividingBy: lattice.columns)
    return Point(
      x: lattice.origin.x + Double(column) * side, y: lattice.origin.y + Double(row) * side)
  }

  /// Returns the open cells of a floor whose centres are within a distance of a place, in metres.
  func openCells(within reach: Double, of place: Point, on floor: Int) -> [Int] {
    var cells: [Int] = []
    forEachCell(within: reach, of: place, on: floor) { if isOpen[$0] > 0 { cells.append($0) } }
    return cells
  }

  private func forEachCell(
    within reach: Double, of place: Point, on floor: Int, _ body: (Int) -> Void
  ) {
    let (column, row) = position(of: place, on: floor)
    let lattice = lattices[floor]
    let cells = Int((reach / side).rounded(.up))
    // The margin stays closed.
    let inside = (
      columns: Self.margin..<lattice.columns - Self.margin,
      rows: Self.margin..<lattice.rows - Self.margin
    )
    for row in (row - cells..<row + cells + 1).clamped(to: inside.rows) {
      for column in (column - cells..<column + cells + 1).clamped(to: inside.columns) {
        let cell = lattice.first + row * lattice.columns + column
        if centre(of: cell, on: floor).distance(to: place) <= reach { body(cell) }
      }
    }
  }

  private mutating func open(_ places: [Point], on floor: Int, within reach: Double) {
    var cells: Set<Int> = []
    for place in places {
      forEachCell(within: reach, of: place, on: floor) { cells.insert($0) }
      if let cell = cell(at: place, on: floor) { cells.insert(cell) }
    }
    for cell in cells { isOpen[cell] = 1 }
  }

  private mutating func open(_ outline: Polygon, on floor: Int) {
    forEachInnerCell(of: floor) { if outline.contains($1) { $0 = 1 } }
  }

  private mutating func close(_ room: Polygon, on floor: Int) {
    forEachInnerCell(of: floor) { if room.contains($1) { $0 = 0 } }
  }

  private mutating func forEachInnerCell(of floor: Int, _ body: (inout Float, Point) -> Void) {
    let lattice = lattices[floor]
    for row in Self.margin..<lattice.rows - Self.margin {
      for column in Self.margin..<lattice.columns - Self.margin {
        let cell = lattice.first + row * lattice.columns + column
        body(&isOpen[cell], centre(of: cell, on: floor))
      }
    }
  }
}

extension SurveyPoint {
  /// Places of the surveyed stretch that are at most half a metre apart, or the place at rest.
  fileprivate var places: [Point] {
    guard let stretch, !stretch.isPoint, stretch.isOnEarth else {
      return abs(place.x) <= Circle.longest && abs(place.y) <= Circle.longest ? [place] : []
    }
    let length = 2 * stretch.reach.distance(to: Point(x: 0, y: 0))
    let steps = Int(min(length / 0.5, 1000).rounded(.up))
    return (0...max(steps, 1)).map {
      let share = 2 * Double($0) / Double(max(steps, 1)) - 1
      return Point(
        x: stretch.centre.x + share * stretch.reach.x, y: stretch.centre.y + share * stretch.reach.y
      )
    }
  }
}

extension [Point] {
  /// The corners of the places' rectangle, widened on each side by a distance in metres.
  fileprivate func widened(by reach: Double) -> [Point] {
    guard let bounds = Bounds(around: self) else { return [] }
    return [
      Point(x: bounds.minimum.x - reach, y: bounds.minimum.y - reach),
      Point(x: bounds.maximum.x + reach, y: bounds.maximum.y + reach),
    ]
  }
}
