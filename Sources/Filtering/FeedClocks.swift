/// How far each receiver of each trace has come: sightings of links that fell silent wait for it.
///
/// Receivers keep their own clocks, so one does not wait for another; but a receiver that fell
/// silent itself is taken to be a minute behind its trace.
struct FeedClocks: Sendable {
  /// More than the clocks of two receivers of one recording differ, in nanoseconds.
  private static let silence: Int64 = 60_000_000_000

  private var times: [[Int64]] = []
  private var newest: [Int64] = []
  /// When `isDue` was last answered with yes, on the clock of that trace.
  private var lastDue: [Int64] = []
  private var lastTrace = 0

  /// Makes room for a receiver of a trace.
  mutating func open(_ place: LinkPlace) {
    while times.count <= place.trace {
      times.append([])
      newest.append(.min)
      lastDue.append(.min)
    }
    while times[place.trace].count <= place.receiver { times[place.trace].append(.min) }
  }

  mutating func advance(_ place: LinkPlace, to time: Int64) {
    lastTrace = place.trace
    if time > times[place.trace][place.receiver] { times[place.trace][place.receiver] = time }
    if time > newest[place.trace] { newest[place.trace] = time }
  }

  /// The time before which nothing more is expected of a receiver.
  func time(of place: LinkPlace) -> Int64 {
    let behind = newest[place.trace].subtractingReportingOverflow(Self.silence)
    return max(times[place.trace][place.receiver], behind.overflow ? .min : behind.partialValue)
  }

  /// Whether so many nanoseconds have gone by in the trace since it last was due.
  mutating func isDue(every step: Int64) -> Bool {
    let now = newest[lastTrace]
    if lastDue[lastTrace] == .min { lastDue[lastTrace] = now }
    guard UInt64(bitPattern: now &- lastDue[lastTrace]) >= UInt64(step) else { return false }
    lastDue[lastTrace] = now
    return true
  }
}
