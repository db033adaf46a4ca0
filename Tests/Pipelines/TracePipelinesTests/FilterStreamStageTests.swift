import Filtering
import Support
import Synchronization
import TestSupport
import Testing
import TracePipelines
import TraceStore

@Suite struct FilteredStreamTests {
  /// Keeps what a stream writes.
  private final class Lines: LineWriter, ActivityLog {
    private let kept = Mutex<(text: String, notes: [String])>(("", []))

    func write(_ text: String) { kept.withLock { $0.text += text } }
    func flush() {}
    func note(_ text: String) { kept.withLock { $0.notes.append(text) } }

    var lines: [String] { kept.withLock { $0.text.split(separator: "\n").map(String.init) } }
    var notes: [String] { kept.withLock { $0.notes } }
  }

  private func filtered(
    _ rows: [(time: Double, receiver: String, rssi: Double)], by chain: String,
    reorder: Duration
  ) throws -> Lines {
    let folder = try TemporaryDirectory()
    let text = rows.map { row in
      #"{"time_s":\#(row.time),"receiver":"\#(row.receiver)","beacon":"tag","rssi_dbm":\#(row.rssi)}"#
        + "\n"
    }.joined()
    let path = try folder.write(text, to: "stream.ndjson")
    let output = Lines()
    let context = StageContext(
      tool: ToolIdentity(version: "", commandLine: ""), log: output, lines: output)
    try FilterStreamStage(
      FilterRequest(
        input: path, output: "", chain: [FilterSpecification(chain)], reorder: reorder)
    ).run(in: context)
    return output
  }

  private func values(_ key: String, _ lines: [String]) -> [Double] {
    lines.compactMap { line in
      line.firstRange(of: "\"\(key)\":").flatMap { range in
        Double(line[range.upperBound...].prefix { $0.isNumber || "-.".contains($0) })
      }
    }
  }

  @Test func `writes every sighting once, those of a receiver in order of time`() throws {
    let rows = [
      (1.0, "a", -60.0), (1.2, "a", -62), (1.1, "a", -90), (1.15, "b", -70), (1.3, "a", -61),
    ]
    let output = try filtered(rows, by: "median:window=1s", reorder: .milliseconds(500))
    let first = output.lines.filter { $0.contains("\"a\"") }
    #expect(output.lines.count == 5)
    #expect(values("time_s", first) == [1.0, 1.1, 1.2, 1.3])
    // Medians of -60; -60, -90; -60, -90, -62; and all four.
    #expect(values("rssi_dbm", first) == [-60, -75, -62, -61.5])
    #expect(output.notes.contains { $0.hasPrefix("1 of 5 sightings") })
  }

  @Test func `counts what came later than sightings are waited for`() throws {
    let rows = [(1.0, "a", -60.0), (5.0, "a", -62), (2.0, "a", -90)]
    let output = try filtered(rows, by: "median:window=10s", reorder: .zero)
    #expect(output.lines.count == 3)
    #expect(output.notes.contains { $0.contains("raise `reorder`") })
  }
}

@Suite struct ComparedChainsTests {
  @Test(arguments: [
    ("kalman,median:window=1s,ewma:tau=2s", ["kalman", "median:window=1s", "ewma:tau=2s"]),
    ("kalman:q=6,r=12,median+kalman", ["kalman:q=6,r=12", "median+kalman"]),
    ("raw,kalman:q=+6,r=1e+1", ["kalman:q=+6,r=1e+1"]),
  ])
  func `splits chains at commas and filters at plus signs`(text: String, expected: [String]) throws
  {
    let chains = try FilterSpecification.chains(text)
    #expect(chains.map(\.name) == expected)
    #expect(chains.map { $0.chain.map(\.text).joined(separator: "+") } == expected)
  }

  @Test func `all filters`() throws {
    let chains = try FilterSpecification.chains("all")
    #expect(chains.map(\.name) == FilterKind.all.filter(\.hasDefaults).map(\.name))
  }
}
