import Advertising
import Foundation
import Sightings
import Support
import TestSupport
import Testing

@testable import TraceStore

/// Recordings of which a loss of power kept some pages and not others.
@Suite struct TornTraceTests {
  let directory: TemporaryDirectory
  /// The file after each flush, as a capture without a write-ahead log leaves it.
  private let states: [(bytes: [UInt8], rows: Int)]
  private let received: Received

  init() throws {
    directory = try TemporaryDirectory()
    let path = directory.path("live.h5")
    var builder = TraceBuilder(
      into: Flushed(
        sink: try LiveTraceSink(
          path: path, start: Self.start, provenance: SampleTrace.provenance, clock: "as recorded"),
        path: path),
      blockRows: 900)
    _ = try builder.trace(named: "walk")
    var generator = SeededGenerator(seed: 3)
    for row in 0..<21_600 {
      // Some beacons from the start, others one by one, with times and payloads that differ.
      let node =
        Bool.random(using: &generator) ? UInt64(row / 90) : .random(in: 0..<9, using: &generator)
      var report = AdvertisingReport(
        time: Self.start + 1 + Int64(row) * 1_000_000,
        address: DeviceAddress(bits: node + 1, type: 1),
        rssi: Float(Int.random(in: -95 ... -40, using: &generator)), eventType: 0x13)
      report.channel = 37 + UInt8(row % 3)
      let payload: [UInt8] =
        [2, 1, 6, 9, 9] + (0..<8).map { UInt8(truncatingIfNeeded: node &>> ($0 * 4)) | 1 }
      report.adapter = UInt16(row / 7 % 2)
      try builder.receive(report, payload: payload.span)
    }
    _ = try builder.complete()
    let sink = builder.takeSink()
    states = sink.states
    received = try Received(states[states.count - 1].bytes, in: directory)
    #expect(received.count > 20_000 && states.count > 20)
  }

  private static let start: Int64 = 1_700_000_000_000_000_000

  /// What repair makes of a file; nil where it refuses it.
  private func repaired(_ bytes: [UInt8]) throws -> Received? {
    let (torn, whole) = (directory.path("torn.h5"), directory.path("whole.h5"))
    try Data(bytes).write(to: URL(filePath: torn))
    let reader: TraceReader
    do { reader = try .salvaging(torn, toRewriteAt: whole) } catch {
      #expect(error.kind == .badInput)
      return nil
    }
    try pack(reader, to: whole, adding: nil)
    let files = try directory.names().filter { $0 != "live.h5.wal" }
    #expect(files == ["live.h5", "torn.h5", "whole.h5"], "nothing is left behind")
    return try Received(Array(Data(contentsOf: URL(filePath: whole))), in: directory)
  }

  /// The pages of a state among those of an earlier one.
  private func mixture(
    of old: [UInt8], and new: [UInt8], _ hasLanded: (Int) -> Bool
  ) -> [UInt8] {
    var bytes = old + [UInt8](repeating: 0, count: max(0, new.count - old.count))
    for page in 0..<(new.count + 4095) / 4096 where hasLanded(page) {
      let range = page * 4096..<min(new.count, (page + 1) * 4096)
      bytes.replaceSubrange(range, with: new[range])
    }
    return bytes
  }

  @Test func `any subset of the pages since a state has received rows only`() throws {
    var generator = SeededGenerator(seed: 37)
    var refusals = 0
    for trial in 0..<60 {
      let first = Int.random(in: 1..<states.count - 1, using: &generator)
      let last = min(states.count - 1, first + .random(in: 1...3, using: &generator))
      let part = [0.05, 0.3, 0.5, 0.7, 0.95].randomElement(using: &generator) ?? 0.5
      let inOrder = trial % 3 == 0
      let end = Int.random(in: 0...states[last].bytes.count / 4096, using: &generator)
      let bytes = mixture(of: states[first].bytes, and: states[last].bytes) { page in
        inOrder ? page <= end : Double.random(in: 0..<1, using: &generator) < part
      }
      guard let kept = try repaired(bytes) else {
        refusals += 1
        continue
      }
      let difference = kept.difference(from: received)
      #expect(difference == nil, "trial \(trial)")
      #expect(kept.count > 0)
    }
    #expect(refusals == 0)
  }

  /// The signature of a block of the index, and a byte of it: a count, a checksum.
  @Test(arguments: [("EAHD", 52), ("EAHD", 68), ("EAIB", 294)])
  func `half old indexes are mended`(signature: String, byte: Int) throws {
    let whole = Data(states[states.count - 1].bytes)
    var bytes = Array(whole)
    var (next, count) = (0, 0)
    while let found = whole.range(of: Data(signature.utf8), in: next..<whole.count) {
      next = found.upperBound
      guard whole[next] == 0 else { continue }
      bytes[found.lowerBound + byte] ^= 1
      count += 1
    }
    #expect(count > 10)
    let kept = try #require(try repaired(bytes))
    #expect(kept.count > 0 && kept == received.prefix(kept.count))
  }

  /// The rows of columns, as an older header has them, with the checksum of the new one.
  @Test func `half old headers are mended`() throws {
    let whole = Data(states[states.count - 1].bytes)
    let rows = withUnsafeBytes(of: UInt64(states[states.count - 1].rows).littleEndian) { Data($0) }
    let older = withUnsafeBytes(of: UInt64(states[5].rows).littleEndian) { Array($0) }
    var bytes = Array(whole)
    var (next, count) = (0, 0)
    // In the dataspace, the most that there may be follow: no limit.
    while let found = whole.range(of: rows + Data(repeating: 255, count: 8), in: next..<whole.count)
    {
      next = found.upperBound
      bytes.replaceSubrange(found.lowerBound..<found.lowerBound + 8, with: older)
      count += 1
    }
    #expect(count > 0)
    let kept = try #require(try repaired(bytes))
    #expect(kept.count > 0 && kept == received.prefix(kept.count))
  }

  @Test func `lookup3 is Jenkins' own`() {
    // The self-tests of lookup3.c (driver5), with an initial value of 0.
    #expect(metadataChecksum([]) == 0xDEAD_BEEF)
    #expect(metadataChecksum(Array("Four score and seven years ago".utf8)) == 0x1777_0551)
  }

  @Test(arguments: [0, 47, 48, 4096, 20_000])
  func `a beginning is refused or read`(length: Int) throws {
    let whole = states[states.count - 1].bytes
    if let kept = try repaired(Array(whole.prefix(length))) {
      #expect(kept == received.prefix(kept.count))
    }
  }

  @Test func `no mutant ends the program`() throws {
    var generator = SeededGenerator(seed: 5)
    let whole = states[12].bytes
    for _ in 0..<12 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...8, using: &generator) {
        let place = Int.random(in: 0..<min(bytes.count, 60_000), using: &generator)
        bytes[place] = .random(in: 0...255, using: &generator)
      }
      let torn = directory.path("mutant.h5")
      try Data(bytes).write(to: URL(filePath: torn))
      guard let copy = try? MendedCopy.open(torn, beside: directory.path("copy.h5")) else {
        continue
      }
      _ = copy.textAttribute("format")
    }
  }
}

/// Keeps the file as it is after each flush.
private struct Flushed: SightingSink, ~Copyable {
  var sink: LiveTraceSink
  let path: String
  var states: [(bytes: [UInt8], rows: Int)] = []
  private var rows = 0

  init(sink: consuming LiveTraceSink, path: String) {
    self.sink = sink
    self.path = path
  }

  mutating func append(
    _ block: SightingColumns, payloads: NewPayloads, catalogue: Catalogue
  ) throws {
    try sink.append(block, payloads: payloads, catalogue: catalogue)
    rows += block.count
    states.append((Array(try Data(contentsOf: URL(filePath: path))), rows))
  }
}

/// What the rows of a trace mean, free of how it numbers things.
private struct Received: Equatable {
  private var times: [Int64] = []
  private var levels: [Float] = []
  private var numbers: [[UInt8]] = []
  private var texts: [String] = []
  private var payloads: [[UInt8]] = []

  var count: Int { times.count }

  init(_ bytes: [UInt8], in directory: TemporaryDirectory) throws {
    let path = directory.path("whole.h5")
    try Data(bytes).write(to: URL(filePath: path))
    let reader = try TraceReader(path: path)
    let (rows, data, catalogue) = (try reader.sightings(), reader.payloads(), reader.catalogue)
    (times, levels) = (rows.time, rows.rssi)
    for row in rows.time.indices {
      numbers.append([rows.channel[row], UInt8(rows.eventType[row] & 255), rows.sid[row]])
      texts.append(
        "\(catalogue.beacons[Int(rows.beacon[row])].id) "
          + "\(catalogue.receivers[Int(rows.receiver[row])].id) "
          + "\(catalogue.advertisers[Int(rows.advertiser[row])])")
      payloads.append(Array(try data[rows.payload[row]]))
    }
  }

  /// The first row that is not as in another trace; nil if all are.
  func difference(from whole: Self) -> String? {
    guard count <= whole.count else { return "\(count) rows, more than \(whole.count)" }
    for row in times.indices where self.row(row) != whole.row(row) {
      return "row \(row) of \(count): \(self.row(row)), expected \(whole.row(row))"
    }
    return nil
  }

  private func row(_ row: Int) -> String {
    "\(times[row]) \(levels[row]) \(numbers[row]) \(texts[row]) \(payloads[row])"
  }

  func prefix(_ count: Int) -> Self {
    var rows = self
    rows.times = Array(times.prefix(count))
    rows.levels = Array(levels.prefix(count))
    rows.numbers = Array(numbers.prefix(count))
    rows.texts = Array(texts.prefix(count))
    rows.payloads = Array(payloads.prefix(count))
    return rows
  }
}
