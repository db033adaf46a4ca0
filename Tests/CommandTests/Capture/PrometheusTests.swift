import Foundation
import TestSupport
import Testing

/// The path to which scripts/bootstrap test unpacks Debian's package.
private let prometheus =
  repositoryRoot.appending(path: ".build/prometheus/usr/bin/prometheus").path

/// A Prometheus server of the test scrapes a capture.
@Suite(.systemRun, .needs(program: prometheus)) struct PrometheusTests {
  private static let walk =
    repositoryRoot.appending(path: "notebooks-data/example/walk-1.btsnoop").path
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// The value of a query that has one result; nil where it has none.
  private func ask(_ query: String, port: Int) throws -> Double? {
    let text = try httpResponse(
      "/api/v1/query?query=\(query)", port: port, headers: "Connection: close\r\n"
    ).body
    let data = try json(text)["data"] as? [String: Any]
    let result = (data?["result"] as? [[String: Any]])?.first?["value"] as? [Any]
    return (result?.last as? String).flatMap { Double($0) }
  }

  @Test func `the server has the counts of the trace`() throws {
    let trace = folder.path("trace.h5")
    let capture = try RunningProgram(
      builtProgram,
      ["capture", "replay:" + heldRecording(of: Self.walk, in: folder), "--speed", "100"]
        + ["--metrics", "0", "-o", trace])
    let port = try reservedPort()
    let configuration = try folder.write(
      """
      global: { scrape_interval: 1s }
      scrape_configs:
        - job_name: rssi
          static_configs: [{ targets: ["127.0.0.1:\(metricsPort(of: capture))"] }]

      """, to: "prometheus.yml")
    let server = try RunningProgram(
      prometheus,
      [
        "--config.file=\(configuration)", "--storage.tsdb.path=\(folder.path("data"))",
        "--web.listen-address=127.0.0.1:\(port)",
      ])
    let isReady = server.waits { server.error.contains("Server is ready to receive web requests") }
    try #require(isReady, "\(server.error)")
    let whole = try importedSightings(Self.walk, in: folder)
    let isWhole = try server.waits {
      try ask("rssi_latency_seconds_count", port: port) == Double(whole)
    }
    #expect(isWhole)
    #expect(try ask("rssi_sightings_total", port: port) == Double(whole))
    #expect(try ask("up", port: port) == 1)
    capture.send(SIGTERM)
    #expect(capture.wait().exitCode == 0)
    let info = try json(rssi("info", trace, "--json").output)
    #expect(info["sightings"] as? Int == whole)
  }
}
