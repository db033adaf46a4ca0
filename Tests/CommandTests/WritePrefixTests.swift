import Foundation
import Sightings
import TestSupport
import Testing
import TraceStore

/// The trace of a capture as it is after every single write to the file: what a kill at that
/// instant leaves, whatever the scheduler and HDF5's caches do.
@Suite("A capture that ends after any of its writes", .systemRun) struct WritePrefixTests {
  private static let reports = 12_000

  /// A change to the file, as `write_log.c` records it.
  private enum Change {
    case write(offset: Int, bytes: Data)
    case truncation(Int)
    case renaming
  }

  @Test("leaves a trace in which every row is right, and no more than one flush is missing")
  func everyPrefix() throws {
    let folder = try TemporaryDirectory()
    let source = folder.path("source.btsnoop")
    try recording().write(to: URL(filePath: source))
    let changes = try capture(source, in: folder)
    let renamed = try #require(
      changes.firstIndex { if case .renaming = $0 { true } else { false } })
    #expect(changes.count - renamed > 500, "every flush writes to dozens of places")

    let whole = folder.path("import.h5")
    #expect(try rssi("import", source, "-o", whole).exitCode == 0)
    let expected = try Rows(of: TraceReader(path: whole), from: 0)
    #expect(expected.count == Self.reports)

    let path = folder.path("prefix.h5")
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    let file = try FileHandle(forUpdating: URL(filePath: path))
    var (committed, commits, largest) = (0, 0, 0)
    for (number, change) in changes.enumerated() {
      switch change {
      case .write(let offset, let bytes):
        try file.seek(toOffset: UInt64(offset))
        try file.write(contentsOf: bytes)
      case .truncation(let length): try file.truncate(atOffset: UInt64(length))
      case .renaming: break
      }
      // Before that nothing has the trace's name.
      guard number >= renamed else { continue }
      let reader = try TraceReader(path: path)
      #expect(reader.count >= committed, "write \(number) takes rows back")
      if reader.count > committed {
        (commits, largest) = (commits + 1, max(largest, reader.count - committed))
      }
      // The rows that came last are those that a cut could hit.
      let first = max(0, min(committed, reader.count) - 100)
      #expect(
        try Rows(of: reader, from: first) == expected.suffix(from: first, to: reader.count),
        "after write \(number) of \(changes.count)")
      committed = reader.count
      guard number % 97 == 0 else { continue }
      let repaired = folder.path("repaired.h5")
      try pack(reader, to: repaired, adding: nil)
      let mended = try TraceReader(path: repaired)
      #expect(mended.isClean && mended.count == reader.count)
      #expect(try Rows(of: mended, from: 0) == expected.suffix(from: 0, to: reader.count))
    }
    #expect(committed == Self.reports)
    #expect(commits > 5)
    print("\(changes.count - renamed) prefixes, \(commits) commits, at most \(largest) rows each")
  }

  /// Captures a recording that is played, and returns all changes of the trace.
  private func capture(_ source: String, in folder: TemporaryDirectory) throws -> [Change] {
    let library = folder.path("write_log.so")
    let code = repositoryRoot.appending(path: "Tests/CommandTests/write_log.c").path
    let built = try runProgram(
      "/usr/bin/gcc", ["-shared", "-fPIC", "-O1", "-o", library, code, "-ldl"])
    try #require(built.exitCode == 0, "\(built.error)")
    let log = folder.path("log")
    // The folder as the kernel names it, free of links.
    let place = try #require(realpath(folder.url.path, nil))
    defer { free(place) }
    let result = try runProgram(
      builtProgram,
      [
        "capture", "replay:\(source)", "--speed", "8", "--flush", "100ms", "--distance", "2m",
        "--no-pack", "-o", folder.path("trace.h5"),
      ],
      environment: [
        "LD_PRELOAD": library, "WRITE_LOG": log, "WRITE_LOG_FOLDER": String(cString: place),
      ])
    try #require(result.exitCode == 0, "\(result.error)")
    let bytes = try Data(contentsOf: URL(filePath: log))
    var changes: [Change] = []
    var position = 0
    func word() -> Int {
      defer { position += 8 }
      return (0..<8).reduce(0) { $0 | Int(bytes[position + $1]) << (8 * $1) }
    }
    while position < bytes.count {
      let (kind, offset, length) = (word(), word(), word())
      switch kind {
      case 1: changes.append(.write(offset: offset, bytes: bytes[position..<position + length]))
      case 2: changes.append(.truncation(offset))
      default: changes.append(.renaming)
      }
      if kind == 1 { position += length }
    }
    return changes
  }

  /// Reports 1 ms apart, enough for a second chunk of every column; every 40th is of an address, a
  /// beacon and a payload that were not there before.
  private func recording() -> Data {
    var data = Data("btsnoop\0".utf8)
    func append<Word: FixedWidthInteger>(_ word: Word) {
      withUnsafeBytes(of: word.bigEndian) { data.append(contentsOf: $0) }
    }
    append(UInt32(1))
    append(UInt32(1002))
    for number in 0..<Self.reports {
      let node = number / 40
      var packet: [UInt8] = [0x04, 0x3E, 0x2A, 0x02, 0x01, 0x03, 0x01]
      packet += [UInt8(node & 255), UInt8(node >> 8), 0, 0xFF, 0xEE, 0xC0, 0x1E]
      packet += [0x02, 0x01, 0x06, 0x1A, 0xFF, 0x4C, 0x00, 0x02, 0x15] + (0..<16).map { UInt8($0) }
      packet += [UInt8(node >> 8), UInt8(node & 255), 0, 1, 0xC5]
      packet.append(UInt8(bitPattern: Int8(-(40 + number % 50))))
      append(UInt32(packet.count))
      append(UInt32(packet.count))
      append(UInt32(3))
      append(UInt32(0))
      append(UInt64(0x00DC_DDB3_0F2F_8000 + 1_700_000_000_000_000 + number * 1000))
      data.append(contentsOf: packet)
    }
    return data
  }
}

/// What the rows of a trace mean, free of how it numbers things.
private struct Rows: Equatable {
  var times: [Int64] = []
  var levels: [Float] = []
  var beacons: [String] = []
  var addresses: [String] = []
  var payloads: [[UInt8]] = []

  var count: Int { times.count }

  init() {}

  init(of reader: TraceReader, from first: Int) throws {
    let (catalogue, data) = (reader.catalogue, reader.payloads())
    var block = SightingColumns(capacity: 0)
    try reader.read(first..<reader.count, into: &block)
    times = block.time
    levels = block.rssi
    beacons = block.beacon.map { catalogue.beacons[Int($0)].id }
    for row in block.time.indices {
      let advertiser = Int(block.advertiser[row])
      addresses.append(
        advertiser < catalogue.advertisers.count ? "\(catalogue.advertisers[advertiser])" : "none")
      payloads.append(Array(try data[block.payload[row]]))
    }
  }

  func suffix(from first: Int, to end: Int) -> Rows {
    var rows = Rows()
    let end = min(end, count)
    rows.times = Array(times[first..<end])
    rows.levels = Array(levels[first..<end])
    rows.beacons = Array(beacons[first..<end])
    rows.addresses = Array(addresses[first..<end])
    rows.payloads = Array(payloads[first..<end])
    return rows
  }
}
