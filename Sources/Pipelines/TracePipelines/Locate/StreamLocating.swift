import Recordings
import Sightings
import Support

/// Locates nodes as their sightings come on the standard input.
struct StreamLocating {
  let locator: LiveLocator
  let sink: any PositionSink
  let log: any ActivityLog
  let board: MetricsBoard?

  func run() throws {
    var intake = Intake(into: locator, blockRows: 1, keeping: beaconsKeptLive)
    var stream = try SightingStream(path: "-", trace: "stdin")
    var isFiltered = false
    repeat {
      if stream.hasFilteredLevels, !isFiltered {
        isFiltered = true
        log.warn(
          "the stream holds filtered levels (variance_db2), and positions are computed "
            + "from levels as received: their errors grow and their covariances become too small; "
            + "leave `rssi filter` out of the pipeline")
      }
      if let text = intake.takeLevelWarning() { log.warn(text) }
      intake.forgetThoseThatLeft()
      guard !stream.hasLine else {
        board?.publish(at: SystemClock.monotonic, metrics(intake))
        continue
      }
      try sink.flush()
      board?.publish(metrics(intake))
      while let patience = intake.sink.patience {
        guard stream.isQuiet(forNanoseconds: patience) else { break }
        try intake.sink.wait()
        try sink.flush()
        board?.publish(metrics(intake))
      }
    } while try stream.next(into: &intake)
    let catalogue = try intake.complete()
    try intake.sink.finish()
    try sink.flush()
    board?.publish(metrics(intake))
    for note in intake.takeSink().notes { log.warn(note) }
    log.reportStream(catalogue)
  }

  private func metrics(_ intake: borrowing Intake<LiveLocator>) -> StageMetrics {
    var metrics = StageMetrics(of: intake)
    metrics.sightings = intake.sink.taken
    metrics.latency = intake.sink.latency
    metrics.positions = intake.sink.positions
    return metrics
  }
}
