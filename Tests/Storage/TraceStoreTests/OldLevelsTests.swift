import Sightings
import Support
import TestSupport
import Testing
import TraceStore

/// Levels that versions before kept, in traces that are read now.
@Suite struct OldLevelsTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func trace(_ numbers: String) throws -> TraceReader {
    let path = directory.path("old.h5")
    _ = try SampleTrace(path, rows: 40)
    let result = try runPython(
      """
      import sys, h5py
      f = h5py.File(sys.argv[1], 'r+')
      f['sightings/beacon'][:] = 0
      f['sightings/receiver'][:] = 0
      f['sightings/rssi_dbm'][:] = [\(numbers)]
      f.close()
      """, [path])
    try #require(result.exitCode == 0, "\(result.error)")
    return try TraceReader(path: path)
  }

  @Test func `zero is not a level`() throws {
    let reader = try trace("0 if row % 4 == 0 else -60 - row % 9 for row in range(40)")
    var levels: [Float] = []
    try reader.forEachBlock([.link, .rssi]) { levels += $0.rssi }
    #expect(levels.count == 40)
    #expect(levels.enumerated().allSatisfy { $0 % 4 == 0 ? $1.isNaN : $1 <= -60 })
    #expect(try reader.levelNotes().map { $0.contains("10 × rssi-zero") } == [true])
    #expect(reader.missingLevels.map(\.reason) == ["rssi-zero"])
    #expect(reader.missingLevels.map(\.count) == [10])
  }

  @Test func `mostly positive levels are refused`() throws {
    let reader = try trace("row % 20 + 1 if row < 25 else -60 - row % 9 for row in range(40)")
    try reader.forEachBlock([.link, .rssi]) { _ in }
    let error = #expect(throws: RSSIError.self) { try reader.levelNotes() }
    #expect(error?.description.contains("25 of 40 levels") == true)
  }
}
