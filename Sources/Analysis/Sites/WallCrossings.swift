package import Geometry
package import Support

/// The walls of a site, indexed to count those on the straight path between two places.
///
/// A crossing is a place where the path meets a wall. The test is exact, in whole micrometres:
/// - Places count, not segments: where walls of one kind meet, at a corner, a junction or an
///   intersection, a path through that place crosses them once, however they were drawn. Each kind
///   counts separately.
/// - A path that touches the end of a wall crosses it, and so does one that touches a corner from
///   one side.
/// - A path along a wall does not cross it, nor other walls of the same kind on that stretch.
/// - A path that starts or ends on a wall does not cross it there: a device on a wall is not behind
///   it.
/// - Heights do not matter.
package struct WallCrossings: Sendable {
  /// Every kind of wall, sorted.
  package let kinds: [String]
  private let segments: [WallSegment]
  private let grid: WallGrid

  /// - Throws: `RSSIError.badPosition` for a corner that is not finite or too far away.
  package init(_ walls: [Site.Wall]) throws(RSSIError) {
    kinds = Set(walls.map(\.kind)).sorted()
    let numbers = Dictionary(uniqueKeysWithValues: kinds.enumerated().map { ($1, $0) })
    var segments: [WallSegment] = []
    for wall in walls {
      var corners: [Micrometres] = []
      for point in wall.points { corners.append(try Micrometres(point)) }
      for (from, to) in zip(corners, corners.dropFirst()) where from != to {
        segments.append(
          WallSegment(
            from: from, to: to, kind: numbers[wall.kind]!, attenuation: wall.attenuation))
      }
    }
    self.segments = segments
    grid = WallGrid(segments)
  }

  /// Returns the walls on the straight path between two places, in either direction.
  ///
  /// - Throws: `RSSIError.badPosition` for a place that is not finite or too far away.
  package func tally(from: Point, to: Point) throws(RSSIError) -> WallTally {
    let start = try Micrometres(from)
    let path = try Micrometres(to) - start
    var hits = WallHits()
    if path != Micrometres(x: 0, y: 0) {
      grid.forEach(from: start, along: path) { hits.add(segments[$0], from: start, along: path) }
    }
    return hits.tally(kinds: kinds.count)
  }

  /// Returns the number of walls of each kind that the path crosses; 0 for the kinds of the site
  /// that it does not cross.
  package func count(from: Point, to: Point) throws(RSSIError) -> [String: Int] {
    try named(tally(from: from, to: to).counts)
  }

  /// Returns `count(from:to:)` without crossings whose loss the site contains.
  package func countOfUnknownLoss(from: Point, to: Point) throws(RSSIError) -> [String: Int] {
    try named(tally(from: from, to: to).unknownLoss)
  }

  /// Returns the loss in dB of the crossings whose loss the site contains. If several walls of a
  /// kind meet at a crossing, the largest loss counts.
  package func knownAttenuation(from: Point, to: Point) throws(RSSIError) -> Double {
    try tally(from: from, to: to).knownAttenuation
  }

  private func named(_ counts: [Int]) -> [String: Int] {
    Dictionary(uniqueKeysWithValues: zip(kinds, counts))
  }
}

/// A grid of square cells over a site, each with the walls whose bounding boxes overlap it.
///
/// It only excludes walls that a path cannot meet; a wall may be returned more than once.
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
    // About one cell per wall, and not more, because a long wall is in many of them.
    let count = Int64(min(Double(segments.count).squareRoot().rounded(.up), Self.maximumColumns))
    origin = low
    side = max(1, max(extent.x, extent.y) / count + 1)
    columns = Int(extent.x / side) + 1
    rows = Int(extent.y / side) + 1
    // A local array, so that filling it does not copy it.
    var cells: [[Int32]] = Array(repeating: [], count: columns * rows)
    for (i, segment) in segments.enumerated() {
      let (from, to) = (segment.from - low, segment.to - low)
      forEachCell(from: from, along: to - from) { cells[$0].append(Int32(i)) }
    }
    self.cells = cells
  }

  /// Calls a closure for every wall that the path may meet.
  func forEach(from start: Micrometres, along path: Micrometres, _ body: (Int) -> Void) {
    forEachCell(from: start - origin, along: path) { cell in
      for i in cells[cell] { body(Int(i)) }
    }
  }

  /// Calls a closure for the cells that a line reaches, column by column, with a margin of at least
  /// one micrometre.
  ///
  /// - Parameter start: The start relative to the grid's origin.
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
        // All terms are below 2^42, so their rounding errors are far below a micrometre.
        low = max(bottom, Int64(min(y0, y1).rounded(.down)) - 2)
        high = min(top, Int64(max(y0, y1).rounded(.up)) + 2)
      }
      let firstRow = max(0, index(low))
      let lastRow = min(rows - 1, index(high))
      if firstRow > lastRow { continue }
      for row in firstRow...lastRow { body(column * rows + row) }
    }
  }

  /// Returns the column or row of a coordinate; negative outside.
  private func index(_ coordinate: Int64) -> Int {
    coordinate < 0 ? -1 : Int(coordinate / side)
  }
}

/// The walls on one path.
package struct WallTally: Hashable, Sendable {
  /// The crossings of each kind, in the order of `WallCrossings.kinds`.
  package fileprivate(set) var counts: [Int]
  /// The crossings of each kind whose loss the site does not contain.
  package fileprivate(set) var unknownLoss: [Int]
  /// The sum of the known losses, in dB.
  package fileprivate(set) var knownAttenuation = 0.0
}

/// The walls that a path meets, before they are counted.
struct WallHits {
  private var crossings: [(place: PathFraction, kind: Int, attenuation: Double?)] = []
  private var stretches: [(first: PathFraction, last: PathFraction, kind: Int)] = []

  mutating func add(_ segment: WallSegment, from start: Micrometres, along path: Micrometres) {
    switch segment.meets(from: start, along: path) {
    case .nowhere: break
    case .crossing(let place): crossings.append((place, segment.kind, segment.attenuation))
    case .stretch(let first, let last): stretches.append((first, last, segment.kind))
    }
  }

  /// Counts each place once per kind, without those on a stretch of its kind.
  consuming func tally(kinds: Int) -> WallTally {
    let none = [Int](repeating: 0, count: kinds)
    var tally = WallTally(counts: none, unknownLoss: none)
    crossings.sort { ($0.kind, $0.place) < ($1.kind, $1.place) }
    stretches.sort { ($0.kind, $0.first) < ($1.kind, $1.first) }
    var (i, j) = (0, 0)
    var covered: (kind: Int, last: PathFraction)?
    while i < crossings.count {
      let (place, kind, _) = crossings[i]
      while j < stretches.count, (stretches[j].kind, stretches[j].first) <= (kind, place) {
        let stretch = stretches[j]
        if let reach = covered, reach.kind == stretch.kind {
          covered = (reach.kind, max(reach.last, stretch.last))
        } else {
          covered = (stretch.kind, stretch.last)
        }
        j += 1
      }
      var attenuation: Double?
      while i < crossings.count, crossings[i].kind == kind, crossings[i].place == place {
        if let known = crossings[i].attenuation { attenuation = max(known, attenuation ?? 0) }
        i += 1
      }
      if let reach = covered, reach.kind == kind, place <= reach.last { continue }
      tally.counts[kind] += 1
      if let attenuation {
        tally.knownAttenuation += attenuation
      } else {
        tally.unknownLoss[kind] += 1
      }
    }
    return tally
  }
}
