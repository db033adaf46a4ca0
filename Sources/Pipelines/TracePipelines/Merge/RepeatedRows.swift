import Sightings
import Support

/// Refuses a sighting that two parts have: equal to the nanosecond and the byte, it was received once.
/// Equal rows of one part were received twice.
struct RepeatedRows {
  private var instant = Int64.min
  private var rows: [(row: Sighting, part: Int)] = []
  /// The part of each row of the instant; filled when a second part has one.
  private var parts: [SightingContent: Int] = [:]

  /// Takes the next row in order of time.
  ///
  /// - Returns: the other part that has it too; nil = none.
  mutating func part(with row: Sighting, of part: Int) -> Int? {
    if row.time != instant || rows.isEmpty {
      instant = row.time
      rows.removeAll(keepingCapacity: true)
      parts.removeAll(keepingCapacity: true)
    }
    rows.append((row, part))
    guard let first = rows.first, first.part != part || !parts.isEmpty else { return nil }
    if parts.isEmpty {
      for known in rows.dropLast() { parts[SightingContent(known.row)] = known.part }
    }
    let content = SightingContent(row)
    if let other = parts[content], other != part { return other }
    parts[content] = part
    return nil
  }
}
