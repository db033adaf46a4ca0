import Positioning

/// One question about a moving node, and what its anchors were heard at.
struct HeardEpoch {
  /// Nanoseconds since the Unix epoch.
  var instant: Int64
  /// The window's start, not included.
  var start: Int64
  /// One for each anchor heard in the window, in the order of their numbers.
  var levels: [Reading]
  /// Raw levels since the epoch before, in short bins.
  var readings: [Reading]

  func scan(_ known: Surroundings) -> Scan {
    Scan(
      instant: instant, start: start, levels: levels, readings: readings, anchors: known.anchors)
  }
}
