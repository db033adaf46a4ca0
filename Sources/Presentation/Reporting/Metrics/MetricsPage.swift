import Sightings
import Support
package import TracePipelines

/// The metrics of a stage as Prometheus reads them.
package struct MetricsPage: Sendable {
  package static var contentType: String { PrometheusText.contentType }

  private let stage: String
  private let source: String
  private let build: (version: String, commit: String)
  private let start: Int64

  /// - Parameters:
  ///   - stage: such as `capture`.
  ///   - source: what it listens to or reads.
  ///   - start: when the process started, nanoseconds since the Unix epoch.
  package init(
    stage: String, source: String, build: (version: String, commit: String), start: Int64
  ) {
    (self.stage, self.source, self.build, self.start) = (stage, source, build, start)
  }

  /// - Parameter now: by the monotonic clock.
  package func text(_ metrics: StageMetrics, at now: Int64) -> String {
    var page = PrometheusText(common: [("stage", stage), ("source", source)])
    addReceived(metrics, to: &page)
    addLosses(metrics, to: &page)
    addHandled(metrics, at: now, to: &page)
    if let (time, restarts) = metrics.advertising {
      page.add(
        "rssi_advertising_seconds", .gauge, "Time since advertising began.", Self.seconds(time))
      page.add(
        "rssi_advertising_restarts_total", .counter, "Restarts of advertising.", "\(restarts)")
    }
    page.add(
      "rssi_build_info", .gauge, "Version and commit of the program.",
      only: [("version", build.version), ("commit", build.commit)], "1")
    page.add(
      "process_start_time_seconds", .gauge,
      "Start time of the process since the Unix epoch in seconds.", only: [], Self.seconds(start))
    return page.text
  }

  private func addReceived(_ metrics: StageMetrics, to page: inout PrometheusText) {
    if let sightings = metrics.sightings {
      page.add(
        "rssi_sightings_total", .counter, "Sightings taken, of those selected.", "\(sightings)")
    }
    if let reports = metrics.reports {
      page.add("rssi_reports_total", .counter, "Advertising reports received.", "\(reports)")
    }
    if let rejected = metrics.rejected {
      page.add(
        "rssi_rejected_total", .counter, "Packets, reports, messages and lines refused.",
        rejected.sorted { $0.key < $1.key }.map { ([("reason", $0.key)], "\($0.value)") })
    }
  }

  /// Every reason is there from the start, so that a rate is known when the first loss comes.
  private func addLosses(_ metrics: StageMetrics, to page: inout PrometheusText) {
    guard let losses = metrics.losses else { return }
    func samples(_ count: (Gap.Reason) -> UInt64) -> [(
      labels: PrometheusText.Labels, value: String
    )] {
      Gap.Reason.allCases.map { ([("reason", $0.rawValue)], "\(count($0))") }
    }
    page.add(
      "rssi_gaps_total", .counter, "Times in which something was lost, or may have been.",
      samples { losses[$0]?.gaps ?? 0 })
    page.add(
      "rssi_lost_events_total", .counter, "Events known to be lost.",
      samples { losses[$0]?.events ?? 0 })
  }

  private func addHandled(
    _ metrics: StageMetrics, at now: Int64, to page: inout PrometheusText
  ) {
    if let waiting = metrics.waiting {
      page.add(
        "rssi_queue_sightings", .gauge, "Sightings that wait to be written.", "\(waiting)")
    }
    if let flushed = metrics.flushed {
      page.add(
        "rssi_last_flush_age_seconds", .gauge, "Time since the last flush to the output.",
        Self.seconds(max(0, now - flushed)))
    }
    if let latency = metrics.latency {
      let bounds = LatencyHistogram.bounds.map(Self.seconds) + ["+Inf"]
      page.addHistogram(
        "rssi_latency_seconds",
        "Time from the reception of a sighting until the stage has handled it.",
        buckets: Array(zip(bounds, latency.cumulative)).map { (bound: $0.0, count: $0.1) },
        sum: plain(Double(latency.sum) / 1e9))
    }
    if let positions = metrics.positions {
      page.add(
        "rssi_positions_total", .counter, "Instants at which the position of a node was asked.",
        [
          ([("outcome", "located")], "\(positions.located)"),
          ([("outcome", "refused")], "\(positions.refused)"),
        ])
    }
  }

  private static func seconds(_ nanoseconds: Int64) -> String {
    // Whole seconds apart, since nanoseconds since 1970 have more digits than a Double.
    plain(Double(nanoseconds / 1_000_000_000) + Double(nanoseconds % 1_000_000_000) / 1e9)
  }
}

/// Prometheus' text format, version 0.0.4: families of samples, each with its help and type.
struct PrometheusText {
  typealias Labels = [(name: String, value: String)]

  /// The type of a page in this format.
  static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  enum Kind: String { case counter, gauge, histogram }

  private(set) var text = ""
  /// The labels common to all samples, written before each sample's own labels.
  private let common: Labels

  init(common: Labels) { self.common = common }

  /// Adds a family.
  ///
  /// - Parameter samples: what distinguishes each, and its value.
  mutating func add(
    _ name: String, _ kind: Kind, _ help: String, _ samples: [(labels: Labels, value: String)]
  ) {
    begin(name, kind, help)
    for sample in samples { append(name, common + sample.labels, sample.value) }
  }

  /// Adds a family of one sample.
  mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: String) {
    add(name, kind, help, [([], value)])
  }

  /// Adds a family of one sample that has no label but its own.
  mutating func add(
    _ name: String, _ kind: Kind, _ help: String, only labels: Labels, _ value: String
  ) {
    begin(name, kind, help)
    append(name, labels, value)
  }

  /// Adds a histogram.
  ///
  /// - Parameter buckets: the upper bound of each but the last, which has none, and how many
  ///   observations are not above it.
  mutating func addHistogram(
    _ name: String, _ help: String, buckets: [(bound: String, count: UInt64)], sum: String
  ) {
    begin(name, .histogram, help)
    for (bound, count) in buckets {
      append("\(name)_bucket", common + [("le", bound)], "\(count)")
    }
    append("\(name)_sum", common, sum)
    append("\(name)_count", common, "\(buckets.last?.count ?? 0)")
  }

  private mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
  }

  private mutating func append(_ name: String, _ labels: Labels, _ value: String) {
    text += name
    if !labels.isEmpty {
      let pairs = labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }
      text += "{\(pairs.joined(separator: ","))}"
    }
    text += " \(value)\n"
  }

  /// A label's value with its backslashes, quotes and ends of lines escaped.
  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
  }
}
