import Foundation
import Sightings
import Support
import TestSupport
import Testing
import TraceStore

/// Closed traces whose columns differ in length are refused, and what is left of them can be kept.
@Suite struct SalvageTests {
  let directory: TemporaryDirectory
  let path: String
  let sample: SampleTrace

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.path("trace.h5")
    sample = try SampleTrace(path, rows: 100)
  }

  private func resize(_ column: String, to rows: Int) throws {
    let result = try runPython(
      "import sys, h5py\nwith h5py.File(sys.argv[1], 'r+') as f: f['\(column)'].resize((\(rows),))",
      [path])
    try #require(result.exitCode == 0, "\(result.error)")
  }

  @Test(arguments: ["sid", "payload", "rssi_dbm", "channel"], [0, 97])
  func `a short column is filled with missing values`(column: String, rows: Int) throws {
    try resize("sightings/\(column)", to: rows)
    let error = #expect(throws: RSSIError.self) { _ = try TraceReader(path: path) }
    #expect(error?.kind == .badInput)
    #expect(error?.description.contains("\(column) has \(rows)") == true)

    let reader = try TraceReader(path: path, isSalvaging: true)
    #expect(reader.losses == [TableLoss(table: "sightings", column: column, rows: rows, kept: 100)])
    let repaired = directory.path("repaired.h5")
    try pack(reader, to: repaired, adding: nil)
    let kept = try TraceReader(path: repaired).sightings()
    #expect(kept.time == sample.rows.time && kept.beacon == sample.rows.beacon)
    let lost = rows..<100
    switch column {
    case "sid": #expect(lost.allSatisfy { kept.sid[$0] == 255 })
    case "payload": #expect(lost.allSatisfy { kept.payload[$0] == Sighting.none })
    case "channel": #expect(lost.allSatisfy { kept.channel[$0] == 255 })
    default: #expect(lost.allSatisfy { kept.rssi[$0].isNaN })
    }
    #expect(kept.sid.prefix(rows) == sample.rows.sid.prefix(rows))
  }

  @Test func `rows without a time are left out`() throws {
    try resize("sightings/time_s", to: 60)
    let reader = try TraceReader(path: path, isSalvaging: true)
    #expect(reader.count == 60)
    #expect(reader.losses.allSatisfy { $0.table == "sightings" && $0.kept == 60 })
    #expect(try reader.sightings().time == Array(sample.rows.time.prefix(60)))
  }

  @Test func `a whole trace loses nothing`() throws {
    let reader = try TraceReader(path: path, isSalvaging: true)
    #expect(reader.losses.isEmpty && reader.count == 100)
  }
}
