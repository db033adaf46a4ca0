import Geometry
import PathLoss

/// Two recordings that are compared for fading that they have in common.
///
/// Under equal names of links, at given shifts of time and piece by piece at any; under other names,
/// at given shifts.
struct RecordingPair {
  /// The smallest score of a correlation beyond chance, and its ratio to the scores of other
  /// shifts, which are large if fading is periodic or slow.
  private struct Threshold {
    var score: Double
    var ratio: Double

    /// The threshold for equal times.
    static let given = Threshold(score: 5, ratio: 4)
    /// The threshold at the best of many shifts.
    static let searched = Threshold(score: 6.5, ratio: 5)
    /// The threshold for links of other names, which are assigned by their agreement.
    static let assigned = Threshold(score: 8, ratio: 4)
  }

  /// The smallest correlation of links of other names, or of unknown ones. Several receivers that
  /// hear the same packets reach 0.88.
  private static let leastOfOtherNames = 0.98
  /// The largest distances in time of readings that are one, in milliseconds: of equal times, of
  /// times to 0.1 s, and to 1 s.
  static let tolerances: [Int64] = [2, 120, 600]
  /// The shifts by which a correlation is judged, in milliseconds.
  private static let decoys: [Int64] = [3300, 4700, 6100, 7900, 9700, 12_100, 14_900, 18_100]
  private static let readingsOfPiece = 256
  private static let mostPieces = 4
  /// The shortest piece, in milliseconds: the course of a shorter one does not follow its path.
  private static let shortestPiece: Int64 = 6000
  /// The number of pairs of readings above which fewer pieces are searched.
  private static let mostPairs = 1 << 24
  /// The reciprocal of the largest stretch of times, 2 %.
  private static let leastStretched: Int64 = 50
  /// The number of the largest links of a recording that may have other names in the other one.
  private static let mostAssigned = 24
  /// The number of links of other names below which nothing is found.
  private static let fewestAssigned = 3

  let one: LinkCourses
  let other: LinkCourses
  /// The links of the other one with the names of each of this one's, and the reverse.
  private let named: (ofOne: [Int?], ofOther: [Int?])
  private let names: Names

  /// The names of links.
  private enum Names {
    case equal, different
    /// All readings count as those of one link.
    case unknown
  }

  private init(_ one: LinkCourses, _ other: LinkCourses, _ names: Names) {
    (self.one, self.other, self.names) = (one, other, names)
    func same(_ links: [UInt32], in others: [UInt32]) -> [Int?] {
      links.map { link in
        let index = others.partitioningIndex { $0 >= link }
        return index < others.count && others[index] == link ? index : nil
      }
    }
    named = (same(one.links, in: other.links), same(other.links, in: one.links))
  }

  /// Returns the recordings with equal names of links; `nil` if there are none.
  static func named(_ one: LinkCourses, _ other: LinkCourses) -> RecordingPair? {
    let pair = RecordingPair(one, other, .equal)
    let areKnown = one.links != [0] && other.links != [0]
    return areKnown && pair.named.ofOne.contains { $0 != nil } ? pair : nil
  }

  /// Returns the recordings with all assumptions about the names of links.
  static func all(_ one: LinkCourses, _ other: LinkCourses) -> [RecordingPair] {
    guard one.links != [0], other.links != [0] else {
      return [
        RecordingPair(
          LinkCourses(one.sample, merged: true), LinkCourses(other.sample, merged: true),
          .unknown)
      ]
    }
    return [named(one, other), RecordingPair(one, other, .different)].compactMap(\.self)
  }

  private var isNamed: Bool { names == .equal }

  /// Returns what is in common at the best of some shifts of time.
  func found(at shifts: [Int64]) -> LeakDetector.Found {
    var best = LeakDetector.Found()
    for shift in shifts {
      // Under other names, only the very same instant distinguishes readings of several links.
      for tolerance in isNamed ? Self.tolerances : [0, Self.tolerances[0]] {
        let isExact = tolerance < 600
        for offset in isExact ? [0] : [-500, 0, 500] {
          // If readings were left out, their own course differs from that of all.
          for usesOwnCourse in isNamed && isExact ? [true, false] : [isNamed] {
            let found = found(at: shift + Int64(offset), tolerance, usesOwnCourse)
            if found.larger > best.larger { best = found }
          }
        }
      }
    }
    return best
  }

  private func found(at shift: Int64, _ tolerance: Int64, _ usesOwnCourse: Bool)
    -> LeakDetector.Found
  {
    let isGiven = abs(shift) <= 500
    let threshold =
      !isNamed ? Threshold.assigned : isGiven ? Threshold.given : Threshold.searched
    let there = agreement(
      of: one, in: other, named.ofOne, shift, tolerance, usesOwnCourse: usesOwnCourse)
    let back = agreement(
      of: other, in: one, named.ofOther, -shift, tolerance, usesOwnCourse: usesOwnCourse)
    let agreement = there.score > back.score ? there : back
    guard agreement.score >= threshold.score,
      isNamed || agreement.correlation >= Self.leastOfOtherNames
    else { return LeakDetector.Found() }
    let spread =
      there.score > back.score
      ? spread(of: one, in: other, named.ofOne, shift, usesOwnCourse: usesOwnCourse)
      : spread(of: other, in: one, named.ofOther, -shift, usesOwnCourse: usesOwnCourse)
    guard agreement.score >= threshold.ratio * spread else { return LeakDetector.Found() }
    // Only the readings that are kept of both count.
    let ofOne = one.sample.readings.count { other.sample.keeps(time: $0.time + shift) }
    let ofOther = other.sample.readings.count { one.sample.keeps(time: $0.time - shift) }
    func share(_ count: Int, _ all: Int) -> Double {
      // Readings that the other one's sample leaves out may have partners near them, too.
      all > 0 ? agreement.correlation * min(1, Double(count) / Double(all)) : 0
    }
    return LeakDetector.Found(
      share: share(there.count, ofOne), shareOfOther: share(back.count, ofOther))
  }

  private func agreement(
    of one: LinkCourses, in other: LinkCourses, _ links: [Int?], _ shift: Int64,
    _ tolerance: Int64, usesOwnCourse: Bool = true, part: [Range<Int>]? = nil
  ) -> LinkCourses.Agreement {
    let links = names != .different ? links : assigned(one, other, shift, tolerance)
    return other.agreement(
      with: one,
      .init(
        shift: shift, tolerance: tolerance, links: links, usesOwnCourse: usesOwnCourse),
      part: part)
  }

  /// Returns the link whose fading agrees most with that of each of the largest links.
  private func assigned(
    _ one: LinkCourses, _ other: LinkCourses, _ shift: Int64, _ tolerance: Int64
  ) -> [Int?] {
    func largest(_ courses: LinkCourses) -> [Int] {
      Array(
        courses.ranges.indices.sorted { courses.ranges[$0].count > courses.ranges[$1].count }
          .prefix(Self.mostAssigned))
    }
    var links = [Int?](repeating: nil, count: one.links.count)
    let candidates = largest(other)
    for link in largest(one) {
      var part = one.ranges.map { $0.lowerBound..<$0.lowerBound }
      part[link] = one.ranges[link]
      var best = 0.0
      for candidate in candidates {
        var single = [Int?](repeating: nil, count: one.links.count)
        single[link] = candidate
        let score = other.agreement(
          with: one, .init(shift: shift, tolerance: tolerance, links: single), part: part
        ).score
        if score > best { (best, links[link]) = (score, candidate) }
      }
    }
    // One or two receivers may hear the same packets at the same levels.
    let isEnough = Set(links.compactMap(\.self)).count >= Self.fewestAssigned
    return isEnough ? links : links.map { _ in nil }
  }

  /// Returns the root mean square score at other shifts than one, at least 1.
  private func spread(
    of one: LinkCourses, in other: LinkCourses, _ links: [Int?], _ shift: Int64,
    usesOwnCourse: Bool = true, part: [Range<Int>]? = nil
  ) -> Double {
    let scores = Self.decoys.flatMap { [-$0, $0] }.compactMap { decoy in
      let found = agreement(
        of: one, in: other, links, shift + decoy, Self.tolerances[2],
        usesOwnCourse: usesOwnCourse, part: part)
      return found.count >= 20 ? found.score : nil
    }
    guard !scores.isEmpty else { return 1 }
    return max(
      1, (scores.reduce(0) { $0 + $1 * $1 } / Double(scores.count)).squareRoot())
  }

  /// Returns what pieces of both have in common with the other one at any shift of time, so that
  /// stretched times are found.
  func foundInPieces() -> LeakDetector.Found {
    LeakDetector.Found(
      share: share(of: one, in: other, named.ofOne),
      shareOfOther: share(of: other, in: one, named.ofOther))
  }

  private func share(of one: LinkCourses, in other: LinkCourses, _ links: [Int?]) -> Double {
    let pieces = Self.pieces(of: one, comparedWith: other)
    let found = pieces.map { find($0, of: one, in: other, links) }
    // Spikes of one piece may be like those of another recording by chance.
    let shares = found.indices.map { index in
      guard let piece = found[index] else { return 0.0 }
      let agrees = found.indices.contains { other in
        guard other != index, let other = found[other] else { return pieces.count == 1 }
        let distance = abs(piece.start - other.start)
        return abs(piece.shift - other.shift) <= 2000 + distance / Self.leastStretched
      }
      return agrees ? piece.share : 0
    }
    return shares.isEmpty ? 0 : shares.reduce(0, +) / Double(shares.count)
  }

  private func find(
    _ piece: Piece, of one: LinkCourses, in other: LinkCourses, _ links: [Int?]
  ) -> (start: Int64, shift: Int64, share: Double)? {
    let part = piece.ranges
    let count = part.reduce(0) { $0 + $1.count }
    var best = LinkCourses.Agreement()
    var found: Int64 = 0
    func examine(_ shift: Int64, _ tolerance: Int64) {
      let agreement = agreement(of: one, in: other, links, shift, tolerance, part: part)
      if agreement.score > best.score { (best, found) = (agreement, shift) }
    }
    for shift in ShiftSearch(one, part, other, links).best {
      for offset in [-500, -250, 0, 250, 500] as [Int64] { examine(shift + offset, 600) }
    }
    let threshold = Threshold.searched
    guard best.score >= threshold.score, best.count >= count / 4 else { return nil }
    let middle = found
    for offset in stride(from: -300, through: 300, by: 100) {
      examine(middle + Int64(offset), 120)
    }
    let spread = spread(of: one, in: other, links, found, part: part)
    guard best.score >= threshold.ratio * spread else { return nil }
    return (piece.start, found, best.correlation * Double(best.count) / Double(count))
  }

  /// Some consecutive readings of a recording.
  private struct Piece {
    /// The time of the first reading, in milliseconds.
    var start: Int64
    /// The readings by link.
    var ranges: [Range<Int>]
  }

  /// Returns pieces that are spread over a recording, as many as can be searched in another one.
  private static func pieces(
    of courses: LinkCourses, comparedWith other: LinkCourses
  ) -> [Piece] {
    let readings = courses.sample.readings
    let all = (readings.count + readingsOfPiece - 1) / readingsOfPiece
    let pairs = readingsOfPiece * other.sample.readings.count / max(other.links.count, 1)
    let count = min(all, max(3, min(mostPieces, mostPairs / max(pairs, 1))))
    return (0..<count).compactMap { number in
      let piece = count == 1 ? 0 : number * (all - 1) / (count - 1)
      let first = piece * readings.count / all
      let (start, end) = (
        readings[first].time, readings[(piece + 1) * readings.count / all - 1].time
      )
      guard end - start >= shortestPiece else { return nil }
      let ranges = courses.ranges.map { range in
        let times = courses.times[range]
        return times.partitioningIndex { $0 >= start }..<times.partitioningIndex { $0 > end }
      }
      return Piece(start: start, ranges: ranges)
    }
  }
}
