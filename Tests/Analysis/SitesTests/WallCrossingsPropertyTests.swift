import Geometry
import Sites
import TestSupport
import Testing

/// Random walls and paths against Python.
@Suite struct WallCrossingsPropertyTests {
  private static let kinds = ["a", "b"]

  /// A path, then for each wall its kind, the number of its points and they, in steps of `unit`
  /// metres.
  private func scenes(
    _ count: Int, walls: ClosedRange<Int>, coordinates: ClosedRange<Int>, seed: UInt64
  ) -> [[Double]] {
    var generator = SeededGenerator(seed: seed)
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
    return (0..<count).map { _ in
      var row = (0..<4).map { _ in number(coordinates) }
      for _ in 0..<number(walls) {
        var points: [[Int]] = []
        let length = number(2...5)
        while points.count < length {
          let point = [number(coordinates), number(coordinates)]
          if points.last != point { points.append(point) }
        }
        row += [number(0...1), length] + points.flatMap(\.self)
      }
      return row.map(Double.init)
    }
  }

  private func crossings(_ scene: [Double], unit: Double) throws -> WallCrossings {
    var walls: [Site.Wall] = []
    var i = 4
    while i < scene.count {
      let points = (0..<Int(scene[i + 1])).map {
        Point(x: scene[i + 2 + 2 * $0] * unit, y: scene[i + 3 + 2 * $0] * unit)
      }
      walls.append(Site.Wall(points, kind: Self.kinds[Int(scene[i])]))
      i += 2 + 2 * points.count
    }
    return try WallCrossings(walls)
  }

  /// The counts of each kind on the path that a scene begins with, the same both ways.
  private func counts(
    _ scene: [Double], in crossings: WallCrossings? = nil, unit: Double
  ) throws -> [Double] {
    let crossings = try crossings ?? self.crossings(scene, unit: unit)
    let (from, to) = (
      Point(x: scene[0] * unit, y: scene[1] * unit), Point(x: scene[2] * unit, y: scene[3] * unit)
    )
    let there = try crossings.count(from: from, to: to)
    let back = try crossings.count(from: to, to: from)
    #expect(there == back)
    return Self.kinds.map { Double(there[$0] ?? 0) }
  }

  private static let walls = """
    def walls(row):
        i = 4
        while i < len(row):
            end = i + 2 + 2 * int(row[i + 1])
            yield int(row[i]), row[i + 2:end].reshape(-1, 2)
            i = end

    """

  /// On a coarse grid of tenths of a metre, where every degenerate case is common: the definition,
  /// worked out in fractions.
  @Test func `degenerate scenes as fractions`() throws {
    let scenes = scenes(3000, walls: 1...6, coordinates: 0...6, seed: 5)
    let answers = try reference(
      Self.walls + """
        from fractions import Fraction as F
        for row in rows:
            (ax, ay, bx, by), found = (int(v) for v in row[:4]), []
            ux, uy = bx - ax, by - ay
            along = lambda x, y: F((x - ax) * ux + (y - ay) * uy, ux * ux + uy * uy)
            places, stretches = [set(), set()], [[], []]
            for kind, points in walls(row) if (ux, uy) != (0, 0) else ():
                points = [(int(x), int(y)) for x, y in points]
                for (px, py), (qx, qy) in zip(points, points[1:]):
                    wx, wy = qx - px, qy - py
                    # a + t u = p + s w, by Cramer's rule
                    d = wx * uy - ux * wy
                    if d:
                        t = F(wx * (py - ay) - wy * (px - ax), d)
                        s = F(ux * (py - ay) - uy * (px - ax), d)
                        if 0 < t < 1 and 0 <= s <= 1: places[kind].add(t)
                    elif ux * (py - ay) == uy * (px - ax):
                        low, high = sorted((along(px, py), along(qx, qy)))
                        if max(low, 0) < min(high, 1): stretches[kind].append((low, high))
            answer(*(sum(not any(low <= t <= high for low, high in stretches[kind]) for t in places[kind])
                     for kind in (0, 1)))
        """, scenes)
    #expect(answers.count == scenes.count)
    for (scene, answer) in zip(scenes, answers) {
      let counted = try counts(scene, unit: 0.1)
      #expect(counted == answer, "\(scene)")
    }
    #expect(answers.contains { $0 == [0, 0] } && answers.contains { $0[0] > 2 && $0[1] > 0 })
  }

  /// In general position, many walls in many cells, in micrometres: shapely's intersections.
  @Test func `general scenes as shapely`() throws {
    let scenes = scenes(40, walls: 0...300, coordinates: -20_000_000...20_000_000, seed: 6)
    let answers = try reference(
      Self.walls + """
        import shapely
        for row in rows:
            path = shapely.LineString(row[:4].reshape(-1, 2))
            found = [0, 0]
            for kind, points in walls(row):
                found[kind] += shapely.get_num_geometries(path.intersection(shapely.LineString(points))) \\
                    if path.intersects(shapely.LineString(points)) else 0
            answer(*found)
        """, scenes)
    #expect(answers.count == scenes.count)
    for (scene, answer) in zip(scenes, answers) {
      let counted = try counts(scene, unit: 1e-6)
      #expect(counted == answer)
    }
    #expect(answers.contains { $0[0] > 50 })
  }

  /// Short walls far apart and paths that begin and end outside them, where most cells are passed
  /// over.
  @Test func `small rooms in a large hall`() throws {
    var generator = SeededGenerator(seed: 7)
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
    let rooms = (0..<900).map { i -> [Int] in
      let (x, y) = (i % 30 * 10 + number(1...5), i / 30 * 10 + number(1...5))
      let (right, top) = (x + number(1...4), y + number(1...4))
      return [0, 5, x, y, right, y, right, top, x, top, x, y]
    }
    let hall = rooms.flatMap(\.self).map(Double.init)
    let paths = (0..<300).map { _ in (0..<4).map { _ in Double(number(-50...350)) } }
    let answers = try reference(
      Self.walls + """
        import shapely
        hall = shapely.MultiLineString([points for _, points in walls(rows[0])])
        for row in rows[1:]:
            path = shapely.LineString(row.reshape(-1, 2))
            ends = [shapely.Point(row[:2]), shapely.Point(row[2:])]
            if path.length == 0: answer(0); continue
            # Places without a stretch or an end of the path; each place once.
            meeting = shapely.get_parts(path.intersection(hall))
            stretches = shapely.union_all([g for g in meeting if g.length > 0])
            places = sorted(path.project(g) for g in meeting if g.length == 0
                            and min(g.distance(e) for e in ends) > 1e-9
                            and (stretches.is_empty or g.distance(stretches) > 1e-9))
            answer(sum(b - a > 1e-9 for a, b in zip([-1, *places], places)))
        """, [[0, 0, 0, 0] + hall] + paths)
    #expect(answers.count == paths.count)
    let crossings = try crossings([0, 0, 0, 0] + hall, unit: 1)
    for (path, answer) in zip(paths, answers) {
      let counted = try counts(path, in: crossings, unit: 1)
      #expect(counted[0] == answer[0], "\(path)")
    }
    #expect(answers.contains { $0[0] > 10 })
  }
}
