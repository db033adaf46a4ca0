import Advertising
import Sightings

/// Keeps every report and its data, for tests to look at.
struct ReportCollector: RecordingSink {
  var reports: [AdvertisingReport] = []
  var losses: [Loss] = []
  var payloads: [[UInt8]] = []

  mutating func receive(_ report: AdvertisingReport, payload: Span<UInt8>) {
    reports.append(report)
    payloads.append(payload.indices.map { payload[$0] })
  }

  mutating func lost(_ loss: Loss) { losses.append(loss) }

  /// The strengths that are numbers, in dBm.
  var strengths: [Float] { reports.map(\.rssi).filter { !$0.isNaN } }

  /// What each report's data are.
  var frames: [BeaconFrame] { payloads.map { BeaconFrame(payload: $0.span) } }
}
