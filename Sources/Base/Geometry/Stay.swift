/// A time for which a node stood at one surveyed point.
package struct Stay: Equatable, Sendable {
  /// Nanoseconds since the Unix epoch, both included.
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
  /// How long a node has to be at one place to stand there, in nanoseconds.
  ///
  /// Surveyors stand for longer: the shortest stay of public surveys is 12 s. Nodes that move halt
  /// for a second or two: what is heard then is not an independent sample of a place, as the next halt
  /// is half a metre on.
  package static let least: Int64 = 5_000_000_000

  /// The maximal runs of marks with equal coordinates that last long enough.
  ///
  /// A mark that differs from both its neighbours is a point passed, not a stay. Linear in the
  /// marks.
  ///
  /// - Parameter marks: in order of time.
  static func all(in marks: [TruthPath.Mark]) -> [Stay] {
    var stays: [Stay] = []
    var first = 0
    for index in marks.indices {
      let isLast = index + 1 == marks.count
      if !isLast, marks[index + 1].position == marks[index].position,
        marks[index + 1].z == marks[index].z
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
