import Foundation
import Sightings
import TestSupport
import Testing
import TracePipelines

@testable import Reporting

/// The path to which scripts/bootstrap test unpacks Debian's package.
private let promtool = repositoryRoot.appending(path: ".build/prometheus/usr/bin/promtool").path

@Suite("Metrics as Prometheus reads them") struct MetricsPageTests {
  private func page(source: String = "hci0") -> MetricsPage {
    MetricsPage(
      stage: "capture", source: source, build: ("0.1.0", "a9a6f18"),
      start: 1_767_225_600_250_000_000)
  }

  private var full: StageMetrics {
    var metrics = StageMetrics()
    (metrics.sightings, metrics.reports) = (12, 34)
    metrics.losses = [.overflow: (gaps: 2, events: 7)]
    metrics.rejected = ["bad-length": 3, "monitor-packet": 1]
    (metrics.waiting, metrics.flushed) = (5, 1_000_000_000)
    var latency = LatencyHistogram()
    latency.add(1_500_000, count: 2)
    latency.add(90_000_000_000)
    metrics.latency = latency
    metrics.positions = (8, 1)
    metrics.advertising = (2_500_000_000, 1)
    return metrics
  }

  /// The values by name and labels, read line by line.
  private func samples(_ text: String) -> [String: String] {
    Dictionary(
      text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { line in
        line.lastIndex(of: " ").map {
          (String(line[..<$0]), String(line[line.index(after: $0)...]))
        }
      }, uniquingKeysWith: { "\($0) and \($1)" })
  }

  @Test func `shows each figure`() {
    let samples = samples(page().text(full, at: 3_500_000_000))
    let labels = "stage=\"capture\",source=\"hci0\""
    for (name, value) in [
      ("rssi_sightings_total{\(labels)}", "12"), ("rssi_reports_total{\(labels)}", "34"),
      ("rssi_gaps_total{\(labels),reason=\"overflow\"}", "2"),
      ("rssi_gaps_total{\(labels),reason=\"silence\"}", "0"),
      ("rssi_lost_events_total{\(labels),reason=\"overflow\"}", "7"),
      ("rssi_rejected_total{\(labels),reason=\"bad-length\"}", "3"),
      ("rssi_queue_sightings{\(labels)}", "5"),
      ("rssi_last_flush_age_seconds{\(labels)}", "2.5"),
      ("rssi_latency_seconds_bucket{\(labels),le=\"0.001\"}", "0"),
      ("rssi_latency_seconds_bucket{\(labels),le=\"0.002\"}", "2"),
      ("rssi_latency_seconds_bucket{\(labels),le=\"60\"}", "2"),
      ("rssi_latency_seconds_bucket{\(labels),le=\"+Inf\"}", "3"),
      ("rssi_latency_seconds_count{\(labels)}", "3"),
      ("rssi_latency_seconds_sum{\(labels)}", "90.003"),
      ("rssi_positions_total{\(labels),outcome=\"located\"}", "8"),
      ("rssi_advertising_seconds{\(labels)}", "2.5"),
      ("rssi_build_info{version=\"0.1.0\",commit=\"a9a6f18\"}", "1"),
      ("process_start_time_seconds", "1767225600.25"),
    ] { #expect(samples[name] == value, "\(name)") }
    #expect(samples.values.allSatisfy { Double($0) != nil })
  }

  @Test func `leaves out what a stage does not have`() {
    let names = samples(page().text(StageMetrics(), at: 0)).keys.map { $0.prefix { $0 != "{" } }
    #expect(Set(names) == ["rssi_build_info", "process_start_time_seconds"])
  }

  @Test func `escapes labels`() {
    let text = page(source: "replay:a\\b\"c\nd{},=é").text(full, at: 0)
    #expect(text.contains("source=\"replay:a\\\\b\\\"c\\nd{},=é\""))
    #expect(
      text.split(separator: "\n").allSatisfy {
        $0.hasPrefix("#") || $0.contains("} ") || $0.hasPrefix("process_")
      })
  }

  /// Prometheus' own check of the format and of names.
  @Test(.needs(program: promtool), arguments: ["hci0", "replay:a\\b\"c\nd{},=é"])
  func `promtool has no objection`(source: String) throws {
    for metrics in [full, StageMetrics()] {
      let text = page(source: source).text(metrics, at: 3_500_000_000)
      let result = try runProgram(promtool, ["check", "metrics"], input: Data(text.utf8))
      #expect(result.exitCode == 0, "\(result.output)\(result.error)")
      #expect(result.output.isEmpty && result.error.isEmpty, "\(result.output)\(result.error)")
    }
  }
}
