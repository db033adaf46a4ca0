/// The levels of a time window in order of size, for medians and similar statistics.
///
/// The places behind the levels hold +∞, so a new level replaces one that leaves, or an ∞, in one
/// pass over the places between the two, eight at a time and without branches that depend on the
/// levels. O(w) moves and O(log w) comparisons per sighting, for w levels in the window.
struct SortedWindow: Sendable {
  typealias Eight = SIMD8<Double>

  private var window: TimeWindow
  private var sorted = [Eight(repeating: .infinity)]

  /// - Parameter length: The window in nanoseconds, above 0; a level of this age is outside.
  init(length: Int64) { window = TimeWindow(length: length) }

  var count: Int { window.count }

  /// Returns a level by rank: 0 is the lowest.
  subscript(index: Int) -> Double {
    @inline(__always) get { sorted[index &>> 3][index & 7] }
  }

  /// Removes levels outside the window at a time, and adds one at that time.
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

  /// The median: the middle level, or the mean of the middle two.
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

  /// Returns one block of the levels after the removal of one level and the insertion of another.
  ///
  /// Removal moves the following levels down by one, and insertion moves those above the new level
  /// up by one. Both at once: each place takes the middle of the new level and its two neighbours
  /// in the rest.
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

  /// Returns the first block with a level that is not lower, else the last block.
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
