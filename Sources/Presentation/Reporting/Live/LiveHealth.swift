import Sightings
import Support
import TracePipelines

/// The health of a source, once per second: rates since the time before, and totals.
struct LiveHealth {
  private var before: (sightings: UInt64, reports: UInt64, time: Int64)?

  /// - Parameter now: by the monotonic clock.
  mutating func text(_ metrics: StageMetrics, at now: Int64) -> String {
    let (sightings, reports) = (metrics.sightings ?? 0, metrics.reports ?? 0)
    let passed = before.map { Double(now - $0.time) / 1e9 }
    func rate(_ new: UInt64, _ old: UInt64?) -> String? {
      guard let passed, passed > 0, let old, new >= old else { return nil }
      return decimal(Double(new - old) / passed, 1)
    }
    let rates = (rate(sightings, before?.sightings), rate(reports, before?.reports))
    before = (sightings, reports, now)
    var json = JSONWriter(escapes: .short)
    json.object { json in
      json.member("sightings", Int(clamping: sightings))
      json.member("sightings_per_s", written: rates.0)
      json.member("reports", Int(clamping: reports))
      json.member("reports_per_s", written: rates.1)
      json.member("located", metrics.positions.map { Int(clamping: $0.located) } ?? 0)
      json.member("refused", metrics.positions.map { Int(clamping: $0.refused) } ?? 0)
      json.key("gaps")
      json.object { json in
        for (reason, loss) in (metrics.losses ?? [:]).sorted(by: {
          $0.key.rawValue < $1.key.rawValue
        }) {
          json.key(reason.rawValue)
          json.object {
            $0.member("times", Int(clamping: loss.gaps))
            $0.member("events", Int(clamping: loss.events))
          }
        }
      }
      json.key("rejected")
      json.object { json in
        for (reason, count) in (metrics.rejected ?? [:]).sorted(by: { $0.key < $1.key }) {
          json.member(reason, Int(clamping: count))
        }
      }
    }
    return json.text
  }
}
