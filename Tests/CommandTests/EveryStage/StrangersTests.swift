import Foundation
import TestSupport
import Testing

/// A recording (btsnoop) with reports of strangers put between its own, each of another address.
///
/// - Parameter each: strangers before each packet of the recording.
private func crowded(_ path: String, each: Int) throws -> Data {
  let recording = try Data(contentsOf: URL(filePath: path))
  func number(at place: Int) -> Int {
    recording[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
  }
  var (crowded, place, stranger) = (recording.prefix(16), 16, 0)
  while place < recording.count {
    let length = 24 + number(at: place + 4)
    let time = recording[place + 16..<place + 24]
    for _ in 0..<each {
      stranger += 1
      // LE advertising report of a random address, which changes as a phone's does.
      var packet: [UInt8] = [0x04, 0x3E, 15, 0x02, 1, 0x00, 0x01]
      packet += (0..<4).map { UInt8(truncatingIfNeeded: stranger >> (8 * $0)) } + [0x5A, 0x4F]
      packet += [3, 2, 1, 6, 0xC0]
      crowded += [
        0, 0, 0, UInt8(packet.count), 0, 0, 0, UInt8(packet.count), 0, 0, 0, 3, 0, 0, 0, 0,
      ]
      crowded += time + packet
    }
    crowded += recording[place..<place + length]
    place += length
  }
  return crowded
}

@Suite("Strangers in range of live stages") struct StrangersTests {
  private static let example = repositoryRoot.appending(path: "notebooks-data/example").path
  private static let walk = example + "/walk-1.btsnoop"
  private let folder: TemporaryDirectory
  private let crowd: String

  init() throws {
    folder = try TemporaryDirectory()
    crowd = folder.path("walk-1.btsnoop")
    try copyPrepared("crowded walk", to: folder) { folder in
      try crowded(Self.walk, each: 12).write(to: folder.url.appending(path: "walk-1.btsnoop"))
      let fit = try rssi("fit", Self.example + "/distances.csv", "-o", folder.path("fit.json"))
      #expect(fit.exitCode == 0, "\(fit.error)")
    }
  }

  /// The lines of a stage on both recordings, as fast as it takes them.
  private func lines(_ stage: String, _ options: [String]) throws -> (
    alone: [String], crowd: [String]
  ) {
    func lines(_ recording: String) throws -> [String] {
      let result = try runProgram(
        builtProgram, [stage, "replay:\(recording)", "--speed", "max"] + options)
      #expect(result.exitCode == 0, "\(result.error)")
      return result.output.split(separator: "\n").map(String.init)
    }
    return (try lines(Self.walk), try lines(crowd))
  }

  @Test func `locate finds the same positions among thousands of strangers`() throws {
    let found = try lines(
      "locate",
      ["--receiver", "phone", "--calibration", folder.path("fit.json"), "--nodes"]
        + [Self.example + "/nodes.csv"] + LocateRoom.quick)
    #expect(found.alone.count > 10 && found.crowd == found.alone)
  }

  @Test func `watch reports the same of a region among thousands of strangers`() throws {
    let found = try lines(
      "watch", ["--region", "5E1F0A3C-7B42-4D96-A8E1-2C90D4B7F365", "--ranging"])
    #expect(found.alone.count > 10 && found.crowd == found.alone)
  }

  @Test func `capture writes every line, those of strangers too`() throws {
    let found = try lines("capture", ["-o", "-"])
    let own = found.crowd.filter { !$0.contains("addr:4F:5A:") }
    #expect(own == found.alone)
    #expect(found.crowd.count == 13 * found.alone.count)
  }

  @Test func `a watch of lines reports the same among thousands of strangers`() throws {
    let captured = try lines("capture", ["-o", "-"])
    func events(_ lines: [String]) throws -> String {
      let result = try rssi(
        "watch", "-", "--region", "5E1F0A3C-7B42-4D96-A8E1-2C90D4B7F365", "--format", "ndjson",
        input: lines.joined(separator: "\n") + "\n")
      #expect(result.exitCode == 0, "\(result.error)")
      return result.output
    }
    let alone = try events(captured.alone)
    #expect(try events(captured.crowd) == alone && alone.count > 1000)
  }
}
