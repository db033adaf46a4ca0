import Recordings
import Sightings
import TestSupport
import Testing

@Suite struct BadNameTests {
  /// Bytes that a trace file could not distinguish from others.
  private static let bad: [[UInt8]] = [
    [0xFF], [0x61, 0xC3], [0xED, 0xA0, 0x80], [0xC0, 0x80], [0x61, 0], [0],
    [UInt8](repeating: 0x61, count: 129), Array(String(repeating: "é", count: 65).utf8),
  ]
  private static let good: [[UInt8]] = [
    Array(String(repeating: "é", count: 64).utf8), [UInt8](repeating: 0x61, count: 128),
    Array("📡 1".utf8),
  ]

  /// One line with a name in each place in turn, and one good line.
  private func count(
    _ name: [UInt8], in templates: [String], header: String = "",
    _ read: (String, inout TraceBuilder<RowCollector>) throws -> Void
  ) throws -> (rows: Int, refused: [String: UInt64]) {
    var bytes = Array(header.utf8)
    for template in templates {
      let parts = template.split(separator: "@", omittingEmptySubsequences: false)
      bytes += parts.map { Array($0.utf8) }.joined(separator: name)
      bytes.append(UInt8(ascii: "\n"))
    }
    let reading = try Reading(bytes, read)
    return (reading.all(\.time).count, reading.refused)
  }

  private func inTable(_ name: [UInt8]) throws -> (rows: Int, refused: [String: UInt64]) {
    try count(
      name, in: ["@,1,r,b,-6", "t,1,@,b,-6", "t,1,r,@,-6", "t,1,r,b,-6"],
      header: "trace,time_s,receiver,beacon,rssi_dbm\n"
    ) { _ = try SightingCSV.read($0, into: &$1) }
  }

  private func inStream(_ name: [UInt8]) throws -> (rows: Int, refused: [String: UInt64]) {
    try count(
      name,
      in: [
        #"{"time_s":1,"beacon":"@","receiver":"r","rssi_dbm":-6}"#,
        #"{"time_s":1,"beacon":"b","receiver":"@","rssi_dbm":-6}"#,
        #"{"time_s":1,"beacon":"b","receiver":"r","rssi_dbm":-6,"trace":"@"}"#,
        #"{"time_s":1,"beacon":"b","receiver":"r","rssi_dbm":-6}"#,
      ]
    ) { path, builder in
      var stream = try SightingStream(path: path, trace: "t")
      while try stream.next(into: &builder) {}
    }
  }

  @Test(arguments: bad)
  func `a bad name is refused in every place`(_ name: [UInt8]) throws {
    let table = try inTable(name)
    #expect(table.rows == 1)
    #expect(table.refused == ["bad-name": 3])
    // JSON has no bare zero byte; it is written as an escape.
    let escaped = name.flatMap { $0 == 0 ? Array(#"\u0000"#.utf8) : [$0] }
    let stream = try inStream(escaped)
    #expect(stream.rows == 1)
    #expect(stream.refused == ["bad-name": 3])
  }

  /// A pose has less room than a name.
  @Test(arguments: [(64, 2), (65, 1), (128, 1)])
  func `a long pose is refused`(_ length: Int, _ rows: Int)
    throws
  {
    let pose = [UInt8](repeating: 0x70, count: length)
    let table = try count(
      pose, in: ["1,r,b,-6,1,@", "2,r,b,-6,1,hand"],
      header: "time_s,receiver,beacon,rssi_dbm,distance_m,pose\n"
    ) { _ = try SightingCSV.read($0, into: &$1) }
    let stream = try count(
      pose,
      in: [
        #"{"time_s":1,"beacon":"b","receiver":"r","rssi_dbm":-6,"distance_m":1,"pose":"@"}"#,
        #"{"time_s":2,"beacon":"b","receiver":"r","rssi_dbm":-6,"distance_m":1,"pose":"hand"}"#,
      ]
    ) { path, builder in
      var stream = try SightingStream(path: path, trace: "t")
      while try stream.next(into: &builder) {}
    }
    for result in [table, stream] {
      #expect(result.rows == rows && result.refused == (rows == 2 ? [:] : ["bad-name": 1]))
    }
  }

  @Test(arguments: good)
  func `a good name is taken in every place`(_ name: [UInt8]) throws {
    #expect(try inTable(name).rows == 4)
    #expect(try inStream(name).rows == 4)
  }

  @Test(arguments: bad)
  func `a site description names the line`(_ name: [UInt8]) throws {
    let bytes = Array("node,role,x_m,y_m\n".utf8) + name + Array(",beacon,1,2\n".utf8)
    let text = try #require(
      problem { _ = try Reading(bytes) { try NodeCSV.read($0, into: &$1) } })
    #expect(text.hasPrefix("line 2: the node "))
    #expect(text.contains("128 bytes at most"))
  }
}
