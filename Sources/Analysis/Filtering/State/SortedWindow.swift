/// The levels of a window of time in order of size, for medians and what is like them.
///
/// The places behind the levels hold +∞, so that a level that comes takes the place of one that
/// goes, or of an ∞, in one pass over the places between the two, eight at a time and without a
/// branch that depends on the levels. O(w) moves and O(log w) comparisons a sighting, for w levels
/// in the window.
struct SortedWindow: Sendable {
  typealias Eight = SIMD8<Double>

  private var window: TimeWindow
  private var sorted = [Eight(repeating: .infinity)]

  /// - Parameter length: nanoseconds, above 0; a level as old as this has left the window.
  init(length: Int64) { window = TimeWindow(length: length) }

  var count: Int { window.count }

  /// A level by its size in order: 0 is the lowest.
  subscript(index: Int) -> Double {
    @inline(__always) get { sorted[index &>> 3][index & 7] }
  }

  /// Drops what has left the window at a time, and takes a level at it.
  @inline(__always)
  mutating func add(_ rssi: Double, at time: Int64) {
    let gone = window.advance(to: time)
    var old = Double.infinity
    if gone == 0 {
      if window.count == sorted.count &* 8 { grow() }
    } else {
      // The last of them makes room for the new one.
      for index in 0..<(gone &- 1) { replace(window[index].rssi, with: .infinity) }
      old = window[gone &- 1].rssi
    }
    replace(old, with: rssi)
    window.removeFirst(gone)
    window.append(rssi)
  }

  /// The middle level, or the mean of the middle two.
  var median: Double {
    @inline(__always) get { (self[(count &- 1) &>> 1] + self[count &>> 1]) / 2 }
  }

  @inline(never)
  private mutating func grow() {
    sorted += [Eight](repeating: Eight(repeating: .infinity), count: sorted.count)
  }

  @inline(__always)
  private mutating func replace(_ old: Double, with new: Double) {
    if window.count < 8 || sorted.count == 1 {
      sorted[0] = Self.replacing(old, new, sorted[0], after: -.infinity, before: .infinity)
    } else {
      replaceAmongMany(old, new)
    }
  }

  /// One block of the levels once a level has gone and another has come.
  ///
  /// Without the old level, what follows it moves down by one; then the new one pushes what is
  /// above it up by one. Both at once: each place takes the middle of the new level and the two
  /// around the place in what is left.
  @inline(__always)
  private static func replacing(
    _ old: Double, _ new: Double, _ here: Eight, after last: Double, before first: Double
  ) -> Eight {
    let next = Eight(here[1], here[2], here[3], here[4], here[5], here[6], here[7], first)
    let left = here.replacing(with: next, where: here .>= old)
    let lastLeft = last < old ? last : here[0]
    let below = Eight(
      lastLeft, left[0], left[1], left[2], left[3], left[4], left[5], left[6])
    let raised = below.replacing(with: new, where: below .< new)
    return raised.replacing(with: left, where: left .< raised)
  }

  private mutating func replaceAmongMany(_ old: Double, _ new: Double) {
    let from = block(of: old < new ? old : new)
    let to = block(of: old < new ? new : old)
    var blocks = sorted.mutableSpan
    var last = -Double.infinity
    for index in from...to {
      let here = blocks[index]
      let first = index + 1 < blocks.count ? blocks[index + 1][0] : .infinity
      blocks[index] = Self.replacing(old, new, here, after: last, before: first)
      last = here[7]
    }
  }

  /// The first block with a level that is not lower, else the last block.
  private func block(of level: Double) -> Int {
    let blocks = sorted.span
    var low = 0
    var width = blocks.count
    while width > 1 {
      let half = width &>> 1
      low = blocks[low &+ half &- 1][7] < level ? low &+ half : low
      width &-= half
    }
    return low
  }
}
