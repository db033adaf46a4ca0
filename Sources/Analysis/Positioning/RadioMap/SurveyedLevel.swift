import Geometry

/// The difference of one anchor's level from its path-loss curve at one place in one recording.
struct SurveyedLevel: Equatable {
  var stretch: Stretch
  /// The level above the curve, in dB.
  var residual: Double
  /// The number of packets in the level.
  var packets: Double
  /// The recording; `nil` for a mean over several.
  var recording: Int?
  /// The number of recordings in the mean.
  var recordings = 1.0

  var place: Point { stretch.centre }
}

extension [SurveyedLevel] {
  /// Returns means over square cells, fewer than a limit, because their number n costs n³.
  ///
  /// Cells start at half a metre, below any length that a survey on foot resolves. If the
  /// recordings in cells of 2 m are too many, each cell's recordings are averaged; then the cells
  /// grow further.
  func thinned(to limit: Int) -> [SurveyedLevel] {
    var side = 0.5
    var levels = averaged(over: side, isByRecording: true)
    while levels.count > limit {
      side *= 1.25
      levels = averaged(over: side, isByRecording: side < 2)
    }
    return levels
  }

  private struct Cell: Hashable {
    var column: Int
    var row: Int
    var recording: Int?
  }

  private func averaged(over side: Double, isByRecording: Bool) -> [SurveyedLevel] {
    var places: [Cell: Int] = [:]
    var sums: [SurveyedLevel] = []
    var recordings: [Set<Int>] = []
    // A single level in a cell keeps its own place, so anchors surveyed at one place share it.
    var only: [SurveyedLevel?] = []
    for level in self {
      let cell = Cell(
        column: Int((level.place.x / side).rounded(.down)),
        row: Int((level.place.y / side).rounded(.down)),
        recording: isByRecording ? level.recording : nil)
      let k = level.packets
      guard let place = places[cell] else {
        places[cell] = sums.count
        var first = level
        first.stretch = Stretch(centre: k * level.place, reach: k * level.stretch.reach)
        first.residual *= k
        sums.append(first)
        recordings.append(Set([level.recording].compactMap(\.self)))
        only.append(level)
        continue
      }
      only[place] = nil
      sums[place].stretch.add(level.stretch, times: k)
      sums[place].residual += k * level.residual
      sums[place].packets += k
      if let recording = level.recording { recordings[place].insert(recording) }
    }
    return sums.indices.map { cell in
      if let level = only[cell] { return level }
      let (sum, recordings) = (sums[cell], recordings[cell])
      let share = 1 / sum.packets
      return SurveyedLevel(
        stretch: Stretch(centre: share * sum.place, reach: share * sum.stretch.reach),
        residual: sum.residual / sum.packets, packets: sum.packets,
        recording: recordings.count == 1 ? recordings.first : nil,
        recordings: Double(Swift.max(recordings.count, 1)))
    }
  }

  /// Compares lists by their contents alone.
  func precedes(_ other: [SurveyedLevel]) -> Bool {
    lexicographicallyPrecedes(other) {
      ($0.residual, $0.place.x, $0.place.y) < ($1.residual, $1.place.x, $1.place.y)
    }
  }
}

extension Stretch {
  /// Adds a multiple of another stretch; walks in opposite directions cover the same stretch.
  fileprivate mutating func add(_ other: Stretch, times factor: Double) {
    let isAgainst = reach.x * other.reach.x + reach.y * other.reach.y < 0
    let ahead = isAgainst ? -factor : factor
    centre.x += factor * other.centre.x
    centre.y += factor * other.centre.y
    reach.x += ahead * other.reach.x
    reach.y += ahead * other.reach.y
  }
}

private func * (factor: Double, point: Point) -> Point {
  Point(x: factor * point.x, y: factor * point.y)
}

extension Array {
  /// Returns at most a given number of elements, spread evenly over the list.
  func sampled(_ limit: Int) -> [Element] {
    count <= limit ? self : (0..<limit).map { self[$0 * count / limit] }
  }
}
