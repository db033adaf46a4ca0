import Advertising
import Sightings
import Support
import TracePipelines

extension Recorder {
  /// How the recording goes.
  var metrics: StageMetrics {
    var metrics = StageMetrics()
    metrics.sightings = UInt64(rows.taken)
    metrics.reports = UInt64(
      PacketFigures(counts, sightings: rows.taken, leftOut: rows.leftOut).reports)
    metrics.losses = losses.mapValues { (gaps: UInt64($0.times), events: $0.dropped) }
    metrics.rejected = rejected
    metrics.flushed = flushed
    switch rows.intake {
    case .some(let intake):
      (metrics.waiting, metrics.latency) = (intake.waitingRows, intake.sink.latency?.histogram)
    case .none: (metrics.waiting, metrics.latency) = (0, latency?.histogram)
    }
    return metrics
  }
}
