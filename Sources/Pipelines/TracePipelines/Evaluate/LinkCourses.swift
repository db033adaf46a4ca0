import Geometry
import PathLoss
import RealModule

/// The levels of a recording by link, with the smooth course of each, to compare their fading with
/// that of another recording.
///
/// Two recordings of one path have similar courses, because distances are the same. Their fading
/// about the courses is independent, except in a copy. A course is the mean of the readings within
/// 2 s, or of the three readings before and after, whichever is longer.
struct LinkCourses {
  /// A way to find the readings of one recording in another.
  struct Alignment {
    /// The time by which the other recording is later, in milliseconds.
    var shift: Int64
    /// The largest distance in time of a reading from its partners, in milliseconds.
    var tolerance: Int64
    /// The other recording's link of each link; `nil` without one.
    var links: [Int?]
    /// A Boolean value that is true if the fading of the other recording is about its own course,
    /// where it is known.
    var usesOwnCourse = true
  }

  /// The correlation of the fading of two recordings.
  struct Agreement {
    /// From −1 to 1; 0 for too few readings.
    private(set) var correlation = 0.0
    /// The number of readings with a partner.
    private(set) var count = 0
    /// The correlation divided by its standard error if readings are independent, by Fisher's
    /// transformation (Fisher 1921).
    ///
    /// Readings count as many as there are if fading is normal, and less if a few of them are spikes
    /// among equal levels: Σ|xy| squared over Σx²y², times 3.
    private(set) var score = 0.0

    /// The least number of readings for a correlation.
    private static let fewest = 10.0

    init() {}

    /// - Parameter pairs: the fading of both.
    fileprivate init(_ pairs: [SIMD2<Double>]) {
      count = pairs.count
      var (squares, products, sizes, fourth) = (SIMD2(0.0, 0), 0.0, 0.0, 0.0)
      for pair in pairs {
        let product = pair[0] * pair[1]
        squares += pair * pair
        products += product
        sizes += abs(product)
        fourth += product * product
      }
      let scale = (squares[0] * squares[1]).squareRoot()
      guard scale > 1e-6, fourth > 1e-12 else { return }
      let effective = min(Double(count), 3 * sizes * sizes / fourth)
      guard effective >= Self.fewest else { return }
      correlation = products / scale
      let limited = min(max(correlation, -0.9999), 0.9999)
      score = Double.atanh(limited) * (effective - 3).squareRoot()
    }
  }

  /// Half the width of a course, in milliseconds.
  private static let width: Int64 = 2000
  /// The smallest number of readings before and after in a course.
  private static let neighbours = 3
  /// The number of readings within the width below which a course is that of the other recording.
  private static let fewestOfCourse = 4

  let sample: ReadingSample
  /// The hashes of the links, ascending.
  let links: [UInt32]
  /// The readings of each link among `times` and the other arrays.
  let ranges: [Range<Int>]
  /// The times of the readings by link, in milliseconds.
  let times: [Int64]
  private let levels: [Double]
  /// The sums of the levels before each reading.
  private let sums: [Double]
  /// The deviations of the levels from the course.
  let fading: [Double]
  /// For each reading, a Boolean value that is true if its course rests on enough readings within
  /// the width.
  private let hasCourse: [Bool]

  /// - Parameter merged: a Boolean value that is true if links are not known, so that all readings
  ///   are of one.
  init(_ sample: ReadingSample, merged: Bool = false) {
    self.sample = sample
    let readings =
      merged
      ? sample.readings
      : sample.readings.sorted { ($0.link, $0.time, $0.level) < ($1.link, $1.time, $1.level) }
    let starts = readings.indices.filter {
      $0 == 0 || !merged && readings[$0 - 1].link != readings[$0].link
    }
    links = starts.map { merged ? 0 : readings[$0].link }
    ranges = zip(starts, starts.dropFirst() + [readings.count]).map { $0..<$1 }
    times = readings.map(\.time)
    levels = readings.map { Double($0.level) }
    var sums = [0.0]
    sums.reserveCapacity(readings.count + 1)
    for level in levels { sums.append(sums[sums.count - 1] + level) }
    self.sums = sums
    var fading = levels
    var hasCourse = Array(repeating: false, count: levels.count)
    for range in ranges {
      var within = Window(range, from: times[range.lowerBound], in: times)
      for index in range {
        within.move(to: times[index], Self.width, in: times)
        let wide = Self.widened(within.range, about: index..<index + 1, in: range)
        fading[index] -= (sums[wide.upperBound] - sums[wide.lowerBound]) / Double(wide.count)
        hasCourse[index] = within.range.count >= Self.fewestOfCourse
      }
    }
    (self.fading, self.hasCourse) = (fading, hasCourse)
  }

  /// The readings of a link within some time of an instant, which only moves on.
  private struct Window {
    private(set) var range: Range<Int>
    private let end: Int

    init(_ link: Range<Int>, from time: Int64, in times: [Int64]) {
      let first = times[link].partitioningIndex { $0 >= time }
      range = first..<first
      end = link.upperBound
    }

    mutating func move(to time: Int64, _ distance: Int64, in times: [Int64]) {
      var (lower, upper) = (range.lowerBound, range.upperBound)
      while lower < end, times[lower] < time - distance { lower += 1 }
      upper = max(lower, upper)
      while upper < end, times[upper] <= time + distance { upper += 1 }
      range = lower..<upper
    }
  }

  /// Returns a range with at least some neighbours on both sides of its inner part.
  private static func widened(
    _ range: Range<Int>, about inner: Range<Int>, in all: Range<Int>
  ) -> Range<Int> {
    max(
      all.lowerBound, min(range.lowerBound, inner.lowerBound - neighbours))..<min(
        all.upperBound, max(range.upperBound, inner.upperBound + neighbours))
  }

  /// Returns the correlation of another recording's fading with this one's.
  ///
  /// This recording contributes its fading, the other one its fading, or the deviation from the
  /// course of this one. Fading sums to zero about its course, so a course contributes little.
  ///
  /// - Parameters:
  ///   - other: the readings to look up here; links of the alignment are this recording's.
  ///   - part: the readings of the other one, by link; `nil` for all.
  /// - Complexity: O(n) in the readings of both.
  func agreement(
    with other: LinkCourses, _ alignment: Alignment, part: [Range<Int>]? = nil
  ) -> Agreement {
    var pairs: [SIMD2<Double>] = []
    var few: [SIMD2<Double>] = []
    for (link, range) in (part ?? other.ranges).enumerated() {
      guard let here = alignment.links[link], !range.isEmpty else { continue }
      let start = other.times[range.lowerBound] &+ alignment.shift &- alignment.tolerance
      var near = Window(ranges[here], from: start, in: times)
      var wide = Window(ranges[here], from: start - Self.width, in: times)
      var apart: [SIMD2<Double>] = []
      for index in range {
        let time = other.times[index] &+ alignment.shift
        near.move(to: time, alignment.tolerance, in: times)
        guard !near.range.isEmpty else { continue }
        wide.move(to: time, alignment.tolerance + Self.width, in: times)
        let course = mean(Self.widened(wide.range, about: near.range, in: ranges[here]))
        let fading = mean(near.range) - course
        if alignment.usesOwnCourse, other.hasCourse[index] {
          pairs.append(SIMD2(fading, other.fading[index]))
        } else {
          apart.append(SIMD2(fading, other.levels[index] - course))
        }
      }
      // A link has an offset of its own, if enough readings show it.
      if apart.count >= Self.fewestOfCourse {
        pairs += Self.centred(apart)
      } else {
        few += apart
      }
    }
    return Agreement(pairs + Self.centred(few))
  }

  /// Returns pairs with the mean of the second numbers subtracted.
  private static func centred(_ pairs: [SIMD2<Double>]) -> [SIMD2<Double>] {
    guard !pairs.isEmpty else { return [] }
    let mean = pairs.reduce(0) { $0 + $1[1] } / Double(pairs.count)
    return pairs.map { $0 - SIMD2(0, mean) }
  }

  private func mean(_ range: Range<Int>) -> Double {
    (sums[range.upperBound] - sums[range.lowerBound]) / Double(range.count)
  }
}
