/// A level that stands for "not received" in a table: many rows have it, and no other level is
/// near.
///
/// The floor of a receiver differs from it: above a sensitivity of -95 dBm, levels of -94 and -93
/// dBm also occur.
package struct FillerLevel: Equatable, Sendable {
  /// The level in dBm.
  package var level: Int
  /// The number of its occurrences in links in which it is isolated.
  package var count: Int
  /// The number of all levels.
  package var total: Int
  /// The smallest gap to the next level of a link, in dB.
  package var gap: Int

  /// The smallest number of rows of a filler, of all links and of one.
  private static let (fewest, fewestOfLink) = (8, 2)
  /// The smallest gap in dB, and its smallest multiple of the mean spacing of the other levels.
  private static let (narrowest, spacings) = (5, 4.0)
  /// The smallest number of distinct levels of a link that can show a filler.
  private static let fewestLevels = 4

  /// A clause such as `1287 of 2592 levels are exactly -110 dBm, 25 dB below the next`.
  package var words: String {
    "\(count) of \(total) levels are exactly \(level) dBm, \(abs(gap)) dB "
      + "\(gap > 0 ? "below" : "above") the next"
  }

  /// The advice about fillers.
  package static let advice =
    "if they stand for \"not heard\", leave rssi_dbm empty in those rows, and read the table again"

  /// Returns the fillers of an input.
  ///
  /// - Parameter links: The levels of each link in dBm, from the weakest, with their counts.
  package static func find(in links: [[(level: Int, count: Int)]]) -> [FillerLevel] {
    var found: [Int: FillerLevel] = [:]
    // The links in which a level is isolated. Stays at two distances isolate any level by chance.
    var isolating: [Int: Int] = [:]
    for link in links {
      for one in [apart(link[...], sign: 1), apart(link.reversed()[...], sign: -1)] {
        guard let one else { continue }
        let known = found[one.level]
        let gap = known.map { abs($0.gap) < abs(one.gap) ? $0.gap : one.gap } ?? one.gap
        found[one.level] = FillerLevel(
          level: one.level, count: 0, total: (known?.total ?? 0) + one.count, gap: gap)
        isolating[one.level, default: 0] += 1
      }
    }
    let total = links.joined().reduce(0) { $0 + $1.count }
    let testable = links.count { $0.count >= fewestLevels }
    return found.values.filter { one in
      let others = isolating.lazy.filter { $0.key != one.level }.map(\.value).max() ?? 0
      return one.total >= fewest
        && isCommon(isolating[one.level] ?? 0, of: testable, otherLevel: others)
    }.sorted { $0.level < $1.level }.map { one in
      // Links with too few others to show it by themselves are included.
      let count = links.reduce(0) { count, link in
        let end = one.gap > 0 ? link.first : link.last
        let next = one.gap > 0 ? link.dropFirst().first : link.dropLast().last
        guard let end, end.level == one.level,
          next.map({ abs($0.level - end.level) >= narrowest }) ?? true
        else { return count }
        return count + end.count
      }
      return FillerLevel(level: one.level, count: count, total: total, gap: one.gap)
    }
  }

  /// Returns a Boolean value that is true if a level is isolated in more links than chance explains,
  /// whose number grows with that of the links: in more than a tenth of them, or in far more than any
  /// other level.
  private static func isCommon(_ count: Int, of links: Int, otherLevel: Int) -> Bool {
    count * 10 > links || count >= 5 * (1 + otherLevel)
  }

  /// Returns the first level of a link if it is more than a tenth of all and isolated from the
  /// others.
  private static func apart(
    _ link: ArraySlice<(level: Int, count: Int)>, sign: Int
  ) -> FillerLevel? {
    guard let end = link.first, let next = link.dropFirst().first, let last = link.last,
      link.count >= fewestLevels
    else { return nil }
    let total = link.reduce(0) { $0 + $1.count }
    let gap = sign * (next.level - end.level)
    let spacing = Double(abs(last.level - next.level)) / Double(link.count - 2)
    guard end.count >= fewestOfLink, end.count * 10 > total, gap >= narrowest,
      Double(gap) >= spacings * spacing
    else {
      return nil
    }
    return FillerLevel(level: end.level, count: end.count, total: total, gap: sign * gap)
  }
}
