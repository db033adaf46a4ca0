/// The notes of a publisher for the user: each problem once until it ends, and losses once a
/// minute.
struct PublisherNotes {
  private var notes: [String]
  /// The problem that keeps it from publishing; nil if there is none.
  private(set) var problem: String?
  private var nextLossNote = ContinuousClock.now
  private var notedLosses = 0

  init(_ notes: [String]) { self.notes = notes }

  mutating func add(_ note: String) { notes.append(note) }

  /// Notes a problem unless it is the one that was noted last.
  mutating func report(_ text: String) {
    guard problem != text else { return }
    problem = text
    notes.append(text)
  }

  mutating func endProblem() { problem = nil }

  /// Notes how many sightings were given up, once a minute.
  ///
  /// - Parameter atOnce: whether the minute does not matter, as at the end.
  mutating func add(_ losses: SpoolLosses, of spool: Spool, atOnce: Bool = false) {
    let now = ContinuousClock.now
    guard losses.reports > notedLosses, atOnce || now >= nextLossNote else { return }
    notes.append(
      "\(losses.reports) sightings were given up so far, since the spool \(spool.folder) cannot grow "
        + "beyond \(spool.limit) bytes or its disk is full; gaps in the stream count them")
    (notedLosses, nextLossNote) = (losses.reports, now + .seconds(60))
  }

  /// The notes since the last call.
  mutating func take() -> [String] {
    defer { notes = [] }
    return notes
  }
}
