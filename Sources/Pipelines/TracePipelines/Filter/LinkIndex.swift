import Sightings

/// Dense numbers for the links of each trace, in order of first appearance.
struct LinkIndex {
  private var numbers: [Link: Int] = [:]
  /// For few beacons and receivers, a table in place of the dictionary: key to number plus one.
  private var table: [UInt32] = []
  private let beacons: Int
  private let receivers: Int
  private var count = 0

  init(_ catalogue: Catalogue) {
    beacons = catalogue.beacons.count
    receivers = catalogue.receivers.count
    let (links, overflow) = beacons.multipliedReportingOverflow(
      by: receivers * max(1, catalogue.traces.count))
    if !overflow, links <= 1 << 20 { table = Array(repeating: 0, count: links) }
  }

  /// Returns the number of the link and trace of a row.
  mutating func number(_ rows: borrowing SightingColumns, _ row: Int) -> (number: Int, isNew: Bool)
  {
    let beacon = Int(rows.beacon[row])
    let receiver = Int(rows.receiver[row])
    let trace = Int(rows.trace[row])
    let place = (trace * receivers + receiver) * beacons + beacon
    if place < table.count {
      if table[place] != 0 { return (Int(table[place]) - 1, false) }
      count += 1
      table[place] = UInt32(count)
      return (count - 1, true)
    }
    let link = rows.link(row)
    if let known = numbers[link] { return (known, false) }
    numbers[link] = count
    count += 1
    return (count - 1, true)
  }
}
