import Sightings
import Support
import TraceStore

/// The sightings of a trace file in order of time, as far as an epoch clock needs it.
struct OrderedRows {
  /// What an epoch clock takes of a sighting.
  typealias Heard = (node: MovingNode, anchor: Int, level: Double, raw: Double)

  private struct Row {
    var time: Int64
    var trace: UInt16
    var heard: Heard?
  }

  private let reader: TraceReader
  private let filter: String?
  private let plan: LocatePlan
  private let links: MovingLinks
  private let traces: Set<UInt16>

  /// - Parameter filter: whose levels to hand over beside the raw ones.
  init(_ reader: TraceReader, filter: String?, _ plan: LocatePlan, _ links: MovingLinks) {
    self.reader = reader
    self.filter = filter
    self.plan = plan
    self.links = links
    traces = Set(
      reader.catalogue.traces.indices.filter {
        plan.asking.trace.isEmpty || plan.asking.trace.contains(reader.catalogue.traces[$0])
      }.map { UInt16($0) })
  }

  /// Hands over time, trace and, where the link is one of a moving node and an anchor, what was
  /// heard.
  ///
  /// In constant memory where each trace's sightings are in order, or late by no more than is
  /// allowed; else all are held and sorted.
  ///
  /// - Returns: how many were left out, as no radio link has such a level.
  func forEachRow(_ body: (Int64, UInt16, Heard?) throws -> Void) throws -> Int {
    guard try !isOrdered() else { return try read(body) }
    var held: [Row] = []
    let notNegative = try read { held.append(Row(time: $0, trace: $1, heard: $2)) }
    for (_, row) in held.enumerated().sorted(by: {
      ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
    }) {
      try body(row.time, row.trace, row.heard)
    }
    return notNegative
  }

  private func isOrdered() throws -> Bool {
    var newest: [UInt16: Int64] = [:]
    var isOrdered = true
    try reader.forEachBlock([.time, .link]) { rows in
      guard isOrdered else { return }
      for row in 0..<rows.count {
        let time = rows.time[row]
        let last = newest[rows.trace[row]] ?? time
        if last > time, last - time > plan.rule.reorder { isOrdered = false }
        newest[rows.trace[row]] = max(last, time)
      }
    }
    return isOrdered
  }

  private func read(_ body: (Int64, UInt16, Heard?) throws -> Void) throws -> Int {
    var links = links
    var notNegative = 0
    var first = 0
    let progress = plan.reporting.log.progress(
      "locate \(reader.path)", total: reader.count)
    try reader.forEachBlock([.time, .link, .rssi]) { rows in
      let levels = try filter.map {
        try reader.levels(ofFilter: $0, rows: first..<first + rows.count)
      }
      first += rows.count
      for row in 0..<rows.count where traces.contains(rows.trace[row]) {
        guard let pair = links.pair(rows, row, reader.catalogue) else {
          try body(rows.time[row], rows.trace[row], nil)
          continue
        }
        if rows.rssi[row] >= 0 { notNegative += 1 }
        try body(
          rows.time[row], rows.trace[row],
          (
            pair.node, pair.anchor, Self.level(levels?[row] ?? rows.rssi[row]),
            Self.level(rows.rssi[row])
          ))
      }
      progress.update(first)
    }
    progress.finish()
    return notNegative
  }

  /// A level that a radio link may have; else none.
  static func level(_ rssi: Float) -> Double { rssi < 0 ? Double(rssi) : .nan }
}
