import PathLoss
import Positioning
import Recordings
import Sightings

/// Sightings as NDJSON in, positions out, each as soon as it is final.
struct LocatedStream {
  let plan: LocatePlan
  let constants: LinkConstants
  /// What positions and events go to; nil where they are not asked for.
  let position: ((LocatedPosition) throws -> Void)?
  let event: ((SpotEvent) throws -> Void)?

  func run() throws {
    let locator = try Locator(plan, Catalogue(), of: "the stream", constants: constants)
    let sink = LocatingSink(plan, locator, position: position, event: event)
    var intake = Intake(into: sink, blockRows: 1)
    var stream = try SightingStream(path: "-", trace: "stdin")
    var isFiltered = false
    repeat {
      if stream.hasFilteredLevels, !isFiltered {
        isFiltered = true
        plan.reporting.note(
          "warning: the stream holds filtered levels (variance_db2), and positions are computed "
            + "from levels as received: their errors grow and their covariances become too small; "
            + "leave `rssi filter` out of the pipeline"
        )
      }
      guard !stream.hasLine else { continue }
      try StandardOutput.flush()
      while let patience = intake.sink.patience {
        guard stream.isQuiet(forNanoseconds: patience) else { break }
        try intake.sink.wait()
        try StandardOutput.flush()
      }
    } while try stream.next(into: &intake)
    let catalogue = try intake.complete()
    try intake.sink.finish()
    try StandardOutput.flush()
    let notes =
      intake.takeSink().notes + locator.notes
      + catalogue.refusals.map { "refused \($0.count) × \($0.reason)" }
    for note in notes { plan.reporting.note(note) }
  }
}
