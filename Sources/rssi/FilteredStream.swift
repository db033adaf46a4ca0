import Filtering
import Recordings
import Sightings

/// NDJSON in, NDJSON out, one sighting at a time.
struct FilteredStream {
  let chain: [FilterSpecification]
  let note: (String) -> Void

  func run() throws {
    if chain.contains(.kalman(q: nil, r: nil)) {
      note(
        "kalman: a stream cannot be read twice, so q = 6 dB²/s and r = 12 dB², those of a person walking; write kalman:q=…,r=… for others"
      )
    }
    var intake = Intake(into: FilteringSink(chain: chain), blockRows: 1)
    var stream = try SightingStream(path: "-", trace: "stdin")
    while try stream.next(into: &intake) {}
    for rejected in try intake.complete().rejected {
      note("refused \(rejected.count) × \(rejected.reason)")
    }
  }
}

/// Filters each sighting as it arrives and writes it out.
private struct FilteringSink: SightingSink {
  let chain: [FilterSpecification]
  private var filters: [UInt64: LinkFilter] = [:]

  init(chain: [FilterSpecification]) { self.chain = chain }

  mutating func append(
    _ rows: SightingColumns, payloads: NewPayloads, catalogue: Catalogue
  ) throws {
    for row in 0..<rows.count {
      var level = FilteredLevel(rssi: .nan, variance: .nan)
      if !rows.rssi[row].isNaN {
        let key =
          UInt64(rows.trace[row]) << 48 | UInt64(rows.receiver[row]) << 32 | UInt64(rows.beacon[row])
        if filters[key] == nil { filters[key] = LinkFilter(stages()) }
        if let filtered = filters[key]?.update(
          time: rows.time[row], rssi: Double(rows.rssi[row]))
        {
          level = filtered
        }
      }
      // The stream's own place of this sighting, if it had one, is the newest truth.
      let place = catalogue.truth.last.flatMap { point in
        point.time == rows.time[row] && point.node == UInt32(rows.receiver[row])
          && point.trace == rows.trace[row] ? point : nil
      }
      try StandardOutput.write(
        SightingLine(
          rows, row, catalogue, level: level.rssi, variance: level.variance, place: place
        ).text)
    }
    // A live pipe wants each line at once.
    try StandardOutput.flush()
  }

  private func stages() -> [LinkFilter.Stage] {
    chain.map { LinkFilter.stage($0, noise: NoiseByLink.walking) }
  }
}
