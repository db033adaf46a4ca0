import Filtering

/// What a chain of filters states of a table, row for row.
struct FilterRun {
  private(set) var rssi: [Double]
  private(set) var variance: [Double]

  init(_ candidate: FilterCandidate, over table: TrialLevels) {
    rssi = Array(repeating: .nan, count: table.count)
    variance = rssi
    var chain = FilterChain(
      candidate.chain, reorder: candidate.reorder, resetAfter: candidate.resetAfter)
    for (link, place) in table.places.enumerated() {
      _ = chain.addLink(place, noise: candidate.noise(link))
    }
    var rows = LevelRows()
    for first in stride(from: 0, to: table.count, by: 8192) {
      rows.removeAll()
      for row in first..<min(first + 8192, table.count) {
        rows.append(
          row: row, link: Int(table.link[row]), time: table.time[row], rssi: table.rssi[row],
          channel: table.channel[row])
      }
      chain.process(&rows)
      keep(rows)
    }
    chain.finish(&rows)
    keep(rows)
  }

  private mutating func keep(_ rows: LevelRows) {
    for index in 0..<rows.count {
      rssi[rows.row[index]] = rows.rssi[index]
      variance[rows.row[index]] = rows.variance[index]
    }
  }
}
