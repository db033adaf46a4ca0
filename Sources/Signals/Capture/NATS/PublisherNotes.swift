/// The notes of a publisher for the user: each problem once until it ends, and losses once a
/// minute.
struct PublisherNotes {
  private var notes: [String]
  /// The problem that prevents publishing; nil if there is none.
  private(set) var problem: String?
  private var nextLossNote = ContinuousClock.now
  private var notedLosses = 0

  init(_ notes: [String]) { self.notes = notes }

  mutating func add(_ note: String) { notes.append(note) }

  /// Notes a problem unless it is the latest one.
  mutating func report(_ text: String) {
    guard problem != text else { return }
    problem = text
    notes.append(text)
  }

  mutating func endProblem() { problem = nil }

  /// Notes the number of dropped sightings, once a minute.
  ///
  /// - Parameter atOnce: whether to ignore the minute, as at the end.
  mutating func add(_ losses: SpoolLosses, of spool: Spool, atOnce: Bool = false) {
    let now = ContinuousClock.now
    guard losses.reports > notedLosses, atOnce || now >= nextLossNote else { return }
    notes.append(
      "\(losses.reports) sightings were dropped so far, because the spool \(spool.folder) cannot "
        + "grow beyond \(spool.limit) bytes or its disk is full; gaps in the stream count them")
    (notedLosses, nextLossNote) = (losses.reports, now + .seconds(60))
  }

  /// Returns the notes since the last call.
  mutating func take() -> [String] {
    defer { notes = [] }
    return notes
  }
}
