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

extension TruthPath {
  /// The maximal runs of marks with equal coordinates that last longer than no time at all.
  ///
  /// A mark that differs from both its neighbours is a point passed, not a stay. Linear in the
  /// marks.
  package var stays: [Stay] {
    var stays: [Stay] = []
    var first = 0
    for index in marks.indices {
      let isLast = index + 1 == marks.count
      if !isLast, marks[index + 1].position == marks[index].position,
        marks[index + 1].z == marks[index].z
      {
        continue
      }
      if marks[index].time > marks[first].time {
        stays.append(
          Stay(start: marks[first].time, end: marks[index].time, position: marks[index].position))
      }
      first = index + 1
    }
    return stays
  }
}
