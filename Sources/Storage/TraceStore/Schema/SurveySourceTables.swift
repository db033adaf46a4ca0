internal import CHDF5
internal import Sightings
import Support

/// `/radio_map/sources` and `/radio_map/readings`: what a radio map was learned from, recognisable.
struct SurveySourceTables {
  private let trace: TextColumn
  private let node: TextColumn
  private let halvings: Column<UInt8>
  private let readingSource: Column<UInt16>
  private let readingTime: Column<Int64>
  private let readingLevel: Column<Float>
  private let path: String

  init(in file: Handle, mode: Table.Mode, path: String) throws(RSSIError) {
    self.path = path
    let sources = try Table(
      "radio_map/sources", in: file, mode: mode, path: path, limit: Int(UInt16.max))
    trace = try sources.text("trace", .trace, "Trace that was learned from")
    node = try sources.text("node", .nodeIdentity, "Its moving node")
    halvings = try sources.column(
      "halvings", UInt8.self, units: "1", "How often half of its readings were left out")
    try sources.alignToFirstColumn()
    let readings = try Table("radio_map/readings", in: file, mode: mode, path: path)
    readingSource = try readings.column(
      "source", UInt16.self, units: "1", "Row of /radio_map/sources")
    readingTime = try readings.column(
      "time_ms", Int64.self, units: "ms", "Time since 1970-01-01, by the receiver's clock")
    readingLevel = try readings.column(
      "rssi_dbm", Float.self, units: "dBm", "Level as it was recorded")
    try readings.alignToFirstColumn()
  }

  func write(_ sources: [StoredRadioMap.Source]) throws(RSSIError) {
    guard sources.count <= Int(UInt16.max) else {
      throw RSSIError(
        .badInput, "cannot write \(path): the survey has more than 65,535 traces; learn from fewer")
    }
    try trace.append(sources.map(\.trace))
    try node.append(sources.map(\.node))
    try halvings.append(sources.map(\.halvings))
    for (number, source) in sources.enumerated() {
      try readingSource.append(Array(repeating: UInt16(number), count: source.times.count))
      try readingTime.append(source.times)
      try readingLevel.append(source.levels)
    }
  }

  func read() throws(RSSIError) -> [StoredRadioMap.Source] {
    let (traces, nodes, halved) = (
      try trace.readAll(), try node.readAll(), try halvings.readAll()
    )
    var sources = traces.indices.map { row in
      StoredRadioMap.Source(
        trace: traces[row], node: nodes[row], halvings: halved[row], times: [], levels: [])
    }
    let (owners, times) = (try readingSource.readAll(), try readingTime.readAll())
    let levels = try readingLevel.readAll()
    for (row, owner) in owners.enumerated() {
      guard sources.indices.contains(Int(owner)) else {
        throw RSSIError(
          .badInput,
          "row \(row) of /radio_map/readings is of source \(owner), which is not there: the file "
            + "is damaged", in: path)
      }
      sources[Int(owner)].times.append(times[row])
      sources[Int(owner)].levels.append(levels[row])
    }
    return sources
  }
}
