import Sightings

/// Which of several parts has the earliest row; of equal times the first part's is first.
///
/// Runs of one part cost a comparison a row, however many parts there are.
struct PartOrder {
  private let parts: [TracePart]
  private var current = 0
  /// The time of the earliest row of any other part, and which part that is.
  private var limit: (time: Int64, part: Int)?

  init(_ parts: [TracePart]) {
    self.parts = parts
    choose()
  }

  /// The part with the next row; nil after the last.
  mutating func next() -> Int? {
    guard !parts.isEmpty else { return nil }
    if let time = parts[current].head?.sighting.time {
      guard let limit, limit < (time, current) else { return current }
    }
    choose()
    return parts[current].head == nil ? nil : current
  }

  private mutating func choose() {
    let heads = parts.indices.compactMap { index in
      parts[index].head.map { (time: $0.sighting.time, part: index) }
    }
    guard let first = heads.min(by: <) else { return }
    current = first.part
    limit = heads.filter { $0.part != first.part }.min(by: <)
  }
}
