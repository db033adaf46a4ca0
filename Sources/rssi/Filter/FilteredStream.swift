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
        "a stream cannot be read twice: q and r are those of a person walking until a link has "
          + "\(LearnedNoise.first) levels, and estimated from then on"
      )
    }
    var intake = Intake(
      into: FilteringSink(chain, reorder: reorder, resetAfter: resetAfter), blockRows: 1)
    var stream = try SightingStream(path: "-", trace: "stdin")
    repeat {
      guard !stream.hasLine else { continue }
      // A live pipe wants what there is before it waits for more, and does not want to wait for a
      // next sighting that may be long in coming.
      try StandardOutput.flush()
      if intake.sink.isHolding, stream.isQuiet(forNanoseconds: reorder) {
        let catalogue = intake.catalogue
        try intake.sink.drain(catalogue)
        try StandardOutput.flush()
      }
    } while try stream.next(into: &intake)
    let catalogue = try intake.complete()
    try intake.sink.finish(catalogue)
    try StandardOutput.flush()
    let sink = intake.takeSink()
    for note in notes(on: sink.counts, of: sink.taken, reorder: reorder) { self.note(note) }
    for rejected in catalogue.refusals { note("refused \(rejected.count) × \(rejected.reason)") }
  }
}
