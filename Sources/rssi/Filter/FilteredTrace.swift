import Filtering
import Inputs
import Registries
import Sightings
import Support
import TraceStore

/// Filters a trace into a copy of it.
struct FilteredTrace {
  let input: String
  let output: String
  let name: String
  let chain: [FilterSpecification]
  /// Nanoseconds.
  let reorder: Int64
  let resetAfter: Int64?
  let registry: Registry
  let reporting: ReportingOptions

  func run() throws {
    let reader = try TraceReader(path: input)
    var writer = try FilteredWriter(
      copying: reader, to: output, name: name, chain: chain.map(\.text).joined(separator: " "),
      provenance: ToolIdentity.program.provenance(of: "filter", inputs: [input]))
    let models = Set(chain.compactMap(\.missingNoise))
    var scan = try TraceScan(reader, withLevels: !models.isEmpty, resetAfter: resetAfter)
    let noise = estimate(models, scan.levels)

    var filters = FilterChain(
      chain, reorder: reorder, resetAfter: resetAfter, isOrdered: scan.isOrdered)
    var order = RowOrder()
    var index = LinkIndex(reader.catalogue)
    var keys: [LinkKey] = []
    var rows = LevelRows()
    var done = 0
    let progress = reporting.log.progress("filter", total: reader.count)
    try reader.forEachBlock([.time, .link, .rssi, .channel]) { block in
      rows.removeAll()
      for row in 0..<block.count {
        let (link, isNew) = index.number(block, row)
        if isNew {
          let key = LinkKey(beacon: block.beacon[row], receiver: block.receiver[row])
          keys.append(key)
          let place = LinkPlace(trace: Int(block.trace[row]), receiver: Int(block.receiver[row]))
          _ = filters.addLink(place, noise: noise.of(key, chain))
        }
        rows.append(
          row: done + row, link: link, time: block.time[row], rssi: Double(block.rssi[row]),
          channel: block.channel[row])
      }
      done += block.count
      filters.process(&rows)
      order.place(rows)
      for trace in scan.traces(endedBefore: done) {
        filters.finish(&rows, trace: trace)
        order.place(rows)
      }
      try order.takeBlocks(of: 65_536) { try writer.append(rssi: $0, variance: $1) }
      progress.update(done)
    }
    filters.finish(&rows)
    order.place(rows)
    try order.takeRest { try writer.append(rssi: $0, variance: $1) }
    progress.finish()
    tell(filters.counts, of: reader.count)
    let links = LinkResults(chain, noise, scan.levels).links(of: filters, keys)
    try writer.finish(links: links)
    try FilterReport(
      links: links, catalogue: reader.catalogue,
      names: BeaconNames(registry, reader.catalogue.beacons), name: name, counts: filters.counts
    ).write(to: output, asJSON: reporting.json)
  }

  private func estimate(_ models: Set<NoiseModel>, _ levels: [LinkLevels]) -> LinkNoise {
    guard !models.isEmpty else { return LinkNoise([], []) }
    if chain.first?.missingNoise == nil {
      reporting.note("q and r are estimated from the unfiltered levels")
    }
    let noise = LinkNoise(models, levels)
    for note in noise.notes { reporting.note(note) }
    return noise
  }

  private func tell(_ counts: FilterCounts, of all: Int) {
    for note in notes(on: counts, of: all, reorder: reorder) { reporting.note(note) }
  }
}

/// What a person should know of what filters met.
func notes(on counts: FilterCounts, of all: Int, reorder: Int64) -> [String] {
  var notes: [String] = []
  if counts.outOfOrder > 0 {
    notes.append(
      "\(counts.outOfOrder) of \(all) sightings came after a younger one of their link; "
        + "\(counts.outOfOrder - counts.late) were put into order"
    )
  }
  if counts.late > 0 {
    notes.append(
      "\(counts.late) sightings came more than \(plain(Double(reorder) * 1e-9)) s late and count "
        + "as simultaneous with the newest: raise --reorder, or sort the input by time"
    )
  }
  if counts.missing > 0 {
    notes.append("\(counts.missing) of \(all) sightings have no level: no filter saw them")
  }
  if counts.restarts > 0 {
    notes.append("\(counts.restarts) gaps longer than --reset-after started a link anew")
  }
  return notes
}
