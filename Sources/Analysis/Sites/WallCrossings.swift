package import Geometry
package import Support

/// The walls of a site, arranged to count those on the straight path between two places.
///
/// A crossing is a place where the path meets a wall. Exactly, in whole micrometres:
/// - Places count, not pieces: where walls of one kind meet, at a corner, a junction or a point
///   where they cross, a path through that place crosses them once, however they were drawn. Kinds
///   count apart.
/// - A path that touches the end of a wall crosses it, and so does one that touches a corner from
///   one side.
/// - A path that runs along a wall does not cross it, nor other walls of the kind where it does so.
/// - A path that begins or ends on a wall does not cross it there: what hangs on a wall is not
///   behind it.
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

  /// What is on the straight path between two places; order does not matter.
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

  /// How many walls of each kind the path crosses; 0 for a kind that the site has and the path has
  /// not.
  package func count(from: Point, to: Point) throws(RSSIError) -> [String: Int] {
    try named(tally(from: from, to: to).counts)
  }

  /// As `count(from:to:)`, without crossings whose loss the site states.
  package func countUnstated(from: Point, to: Point) throws(RSSIError) -> [String: Int] {
    try named(tally(from: from, to: to).unstated)
  }

  /// The loss in dB of those crossings whose loss the site states. Where several walls of a kind
  /// meet at the place of a crossing, it is the greatest loss stated of them.
  package func knownAttenuation(from: Point, to: Point) throws(RSSIError) -> Double {
    try tally(from: from, to: to).knownAttenuation
  }

  private func named(_ counts: [Int]) -> [String: Int] {
    Dictionary(uniqueKeysWithValues: zip(kinds, counts))
  }
}
