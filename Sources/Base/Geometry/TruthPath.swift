/// The true path of one node during one trace: surveyed positions connected by straight legs.
///
/// A leg includes the time of its first position and excludes that of its second. If two positions
/// have the same time, the later row applies from that time on, so no instant belongs to two legs.
/// Floors have planes of their own: between marks on two floors, the node is at the nearer in time.
package struct TruthPath: Equatable, Sendable {
  /// A known position at a time.
  package struct Mark: Equatable, Sendable {
    /// The time, in nanoseconds since the Unix epoch.
    package var time: Int64
    package var position: Point
    /// The height in metres, if it is known; positions are interpolated in the plane.
    package var z: Double?
    /// The index of the floor in a building; `nil` if it is unknown, or there is one plane.
    package var floor: Int?

    package init(time: Int64, position: Point, z: Double? = nil, floor: Int? = nil) {
      self.time = time
      self.position = position
      self.z = z
      self.floor = floor
    }
  }

  /// The marks in order of time; equal times keep the order of their rows.
  package let marks: [Mark]
  /// The stays of the node, in order of time.
  package let stays: [Stay]

  package init(_ marks: [Mark]) {
    // The standard library's sort is stable but does not guarantee it; the row number does.
    self.marks = marks.enumerated()
      .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
      .map(\.element)
    stays = Stay.all(in: self.marks)
  }

  /// The range of known times, both included; `nil` without marks.
  package var span: ClosedRange<Int64>? {
    guard let first = marks.first, let last = marks.last else { return nil }
    return first.time...last.time
  }

  /// Returns a Boolean value that is true if the legs of another path have the same lengths, to
  /// 1 mm, and the same durations, to 5 ms, up to a factor and a shift of all times.
  ///
  /// People do not repeat such times: both paths are of one walk. It is false for fewer than four
  /// legs, and for legs of equal durations.
  package func isSameWalk(as other: TruthPath) -> Bool {
    guard marks.count > 4, marks.count == other.marks.count else { return false }
    func legs(_ marks: [Mark]) -> [(length: Double, duration: Double)] {
      zip(marks, marks.dropFirst()).map {
        let (from, to) = ($0.position, $1.position)
        return (
          ((to.x - from.x) * (to.x - from.x) + (to.y - from.y) * (to.y - from.y)).squareRoot(),
          elapsed($0.time, $1.time) / 1e9
        )
      }
    }
    let (own, others) = (legs(marks), legs(other.marks))
    let total = own.reduce(0) { $0 + $1.duration }
    let totalOfOther = others.reduce(0) { $0 + $1.duration }
    guard total > 0, totalOfOther > 0 else { return false }
    let mean = total / Double(own.count)
    return own.contains { $0.length > 0.001 }
      && own.count { abs($0.duration - mean) > 0.01 * mean } >= 4
      && zip(own, others).allSatisfy {
        abs($0.length - $1.length) <= 0.001
          && abs($0.duration - $1.duration * total / totalOfOther) <= 0.005
      }
  }

  /// Returns a Boolean value that is true if a time is part of a stay.
  package func isStanding(at time: Int64) -> Bool {
    let next = stays.partitioningIndex { $0.start > time }
    guard next > 0, time <= stays[next - 1].end else { return false }
    // At its last instant the node may already be elsewhere.
    return time < stays[next - 1].end || position(at: time) == stays[next - 1].position
  }

  /// Returns the velocity at a time: zero at rest, and at the last mark that before it; `nil`
  /// without a leg of positive duration there, and outside the marks.
  package func velocity(at time: Int64) -> Velocity? {
    guard let span, span.contains(time) else { return nil }
    let next = marks.partitioningIndex { $0.time > time }
    let leg = next < marks.count ? next : marks.partitioningIndex { $0.time >= time }
    guard leg > 0 else { return nil }
    let (from, to) = (marks[leg - 1], marks[leg])
    guard from.floor == to.floor else { return nil }
    let seconds = elapsed(from.time, to.time) / 1e9
    return Velocity(
      x: (to.position.x - from.position.x) / seconds, y: (to.position.y - from.position.y) / seconds
    )
  }

  /// Returns the height at a time, in metres, or `nil` if either end of the leg has none, and
  /// outside the marks.
  package func height(at time: Int64) -> Double? {
    guard let span, span.contains(time) else { return nil }
    let next = marks.partitioningIndex { $0.time > time }
    let from = marks[next - 1]
    guard next < marks.count else { return from.z }
    let to = marks[next]
    let share = elapsed(from.time, time) / elapsed(from.time, to.time)
    guard from.floor == to.floor else { return (share < 0.5 ? from : to).z }
    guard let low = from.z, let high = to.z else { return nil }
    return low + share * (high - low)
  }

  /// Returns the floor at a time, or `nil` if it is unknown, and outside the marks.
  package func floor(at time: Int64) -> Int? {
    guard let span, span.contains(time) else { return nil }
    let next = marks.partitioningIndex { $0.time > time }
    let from = marks[next - 1]
    guard next < marks.count, marks[next].floor != from.floor else { return from.floor }
    let to = marks[next]
    return elapsed(from.time, time) < 0.5 * elapsed(from.time, to.time) ? from.floor : to.floor
  }

  /// Returns the length of the path between two times in metres, or `nil` if one of them is outside
  /// the marks.
  ///
  /// Linear in the number of marks between them.
  package func length(from start: Int64, to end: Int64) -> Double? {
    guard var here = position(at: start), let last = position(at: end) else { return nil }
    var sum = 0.0
    var floor = floor(at: start)
    for mark in marks[marks.partitioningIndex { $0.time > start }...] {
      guard mark.time < end else { break }
      if self.floor(at: mark.time) == floor { sum += here.distance(to: mark.position) }
      floor = self.floor(at: mark.time)
      here = mark.position
    }
    return floor == self.floor(at: end) ? sum + here.distance(to: last) : sum
  }

  /// Returns the position at a time, in metres, or `nil` before the first and after the last mark.
  ///
  /// Logarithmic in the number of marks.
  package func position(at time: Int64) -> Point? {
    guard let span, span.contains(time) else { return nil }
    // The last mark that is not later.
    let next = marks.partitioningIndex { $0.time > time }
    let from = marks[next - 1]
    guard next < marks.count else { return from.position }
    let to = marks[next]
    let share = elapsed(from.time, time) / elapsed(from.time, to.time)
    guard from.floor == to.floor else { return (share < 0.5 ? from : to).position }
    return Point(
      x: from.position.x + share * (to.position.x - from.position.x),
      y: from.position.y + share * (to.position.y - from.position.y))
  }
}

/// Returns the nanoseconds from a time to a later one, which may exceed an `Int64`.
private func elapsed(_ start: Int64, _ end: Int64) -> Double {
  Double(UInt64(bitPattern: end &- start))
}

/// A period in which a node stood at one surveyed point.
package struct Stay: Equatable, Sendable {
  /// The start, in nanoseconds since the Unix epoch; both ends are included.
  package var start: Int64
  package var end: Int64
  package var position: Point

  package init(start: Int64, end: Int64, position: Point) {
    self.start = start
    self.end = end
    self.position = position
  }
}

extension Stay {
  /// The shortest duration of a stay, in nanoseconds.
  ///
  /// Surveyors stand for longer: the shortest stay of public surveys is 12 s. Moving nodes halt for
  /// a second or two, which is not an independent sample of a place, because the next halt is half
  /// a metre away.
  package static let least: Int64 = 5_000_000_000

  /// Returns the maximal runs of marks with equal coordinates that last long enough.
  ///
  /// A mark that differs from both its neighbours is a point passed, not a stay. Linear in the
  /// marks.
  ///
  /// - Parameter marks: The marks in order of time.
  static func all(in marks: [TruthPath.Mark]) -> [Stay] {
    var stays: [Stay] = []
    var first = 0
    for index in marks.indices {
      let isLast = index + 1 == marks.count
      if !isLast, marks[index + 1].position == marks[index].position,
        marks[index + 1].z == marks[index].z, marks[index + 1].floor == marks[index].floor
      {
        continue
      }
      let (start, end) = (marks[first].time, marks[index].time)
      if end > start, UInt64(bitPattern: end &- start) >= UInt64(least) {
        stays.append(Stay(start: start, end: end, position: marks[index].position))
      }
      first = index + 1
    }
    return stays
  }
}
