import Filtering
import Recordings
import Sightings

/// NDJSON in, NDJSON out, each line as soon as its level is final.
struct FilteredStream {
  let chain: [FilterSpecification]
  /// Nanoseconds.
  let reorder: Int64
  let resetAfter: Int64?
  let note: (String) -> Void

  func run() throws {
    if chain.contains(where: { $0.missingNoise != nil }) {
      note(
        "a stream cannot be read twice, so q = 6 dB²/s and r = 12 dB², those of a person walking; write kalman:q=…,r=… for others"
      )
    }
    let filters = FilterChain(chain, reorder: reorder, resetAfter: resetAfter)
    var intake = Intake(into: FilteringSink(filters, chain.count), blockRows: 1)
    var stream = try SightingStream(path: "-", trace: "stdin")
    repeat {
      guard !stream.hasLine else { continue }
      // A live pipe wants what there is before it waits for more, and does not want to wait for a
      // next sighting that may be long in coming.
      try StandardOutput.flush()
      if intake.sink.isHolding, stream.isQuiet(forNanoseconds: reorder) {
        try intake.sink.drain()
        try StandardOutput.flush()
      }
    } while try stream.next(into: &intake)
    let catalogue = try intake.complete()
    try intake.sink.finish()
    try StandardOutput.flush()
    let sink = intake.takeSink()
    for note in notes(on: sink.counts, of: sink.taken, reorder: reorder) { self.note(note) }
    for rejected in catalogue.rejected { note("refused \(rejected.count) × \(rejected.reason)") }
  }
}
