import Sightings
import Support
import TestSupport
import Testing
import TracePipelines
import TraceStore

@Suite("Sightings in order of time")
struct OrderedTraceTests {
  let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// A table with a sighting for each of some seconds, of the traces a and b in turn.
  private func table(_ seconds: [Double], traces: [String] = ["a"]) throws -> String {
    try folder.write(
      "trace,time_s,receiver,beacon,rssi_dbm\n"
        + seconds.enumerated().map { index, time in
          "\(traces[index % traces.count]),\(time),phone,x,\(-40 - index)\n"
        }.joined(), to: "table.csv")
  }

  private func ordered(_ path: String, lateness: Double = 1) throws -> OrderedTrace {
    try OrderedTrace(path: path, lateness: Int64(lateness * 1e9)) { _ in }
  }

  private func levels(_ trace: OrderedTrace) throws -> [Float] {
    var levels: [Float] = []
    try trace.forEachBlock([.time, .link, .rssi]) { rows, _, _ in levels += rows.rssi }
    return levels
  }

  @Test func `a little late is left as it is`() throws {
    let trace = try ordered(table([10, 11, 10, 12]))
    #expect(trace.isOrdered)
    #expect(try levels(trace) == [-40, -41, -42, -43])
  }

  @Test func `too late is sorted`() throws {
    let trace = try ordered(table([10, 12, 11, 10, 12]), lateness: 0.5)
    #expect(!trace.isOrdered)
    // Sightings of one time stay in the order of the file.
    #expect(try levels(trace) == [-40, -43, -42, -41, -44])
  }

  @Test func `each trace has its own time`() throws {
    let trace = try ordered(table([100, 10, 101, 11], traces: ["a", "b"]))
    #expect(trace.isOrdered)
  }

  @Test func `the tables come with the blocks`() throws {
    var names: [String] = []
    try ordered(table([3, 1], traces: ["a", "b"]), lateness: 0).forEachBlock([.time, .link]) {
      rows, _, catalogue in
      names += rows.trace.map { catalogue.traces[Int($0)] }
    }
    #expect(names == ["a", "b"])
  }
}
