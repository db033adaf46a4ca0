import Foundation
import Support
import TestSupport
import Testing

@testable import Capture

@Suite struct SpoolTests {
  private let directory: TemporaryDirectory
  private var folder: String { directory.path("a/spool") }

  init() throws { directory = try TemporaryDirectory() }

  private func record(_ number: Int, padding: Int = 0) -> [UInt8] {
    Array("record \(number)".utf8) + [UInt8](repeating: 46, count: padding)
  }

  private func spool(limit: UInt64 = 1_000_000_000) throws -> Spool {
    try Spool(folder: folder, limit: limit)
  }

  /// All that is handed out, as text; nil is a damaged record.
  private func records(of spool: Spool) -> [String?] {
    var found: [String?] = []
    while let record = spool.next() {
      found.append(record.bytes.map { String(decoding: $0, as: UTF8.self) })
    }
    return found
  }

  private func segments() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).filter {
      $0.hasSuffix(".segment")
    }.sorted()
  }

  @Test func `records come in order until they are acknowledged`() throws {
    let spool = try spool()
    for number in 0..<10 { #expect(try spool.append(record(number)).isEmpty) }
    var handed: [SpoolRecord] = []
    while let record = spool.next() { handed.append(record) }
    #expect(handed.map { $0.bytes ?? [] } == (0..<10).map { record($0) })
    #expect(Set(handed.map(\.id)).count == 10)
    spool.acknowledge(upTo: handed[3].end)
    #expect(spool.waiting == 6 && !spool.isEmpty)
    spool.rewind()
    #expect(spool.next()?.id == handed[4].id)
    spool.acknowledge(upTo: handed[9].end)
    #expect(spool.waiting == 0 && spool.isEmpty)
    spool.end()
    #expect(try segments().isEmpty)
  }

  @Test func `the next process continues with the first that was not acknowledged`() throws {
    var ids: [String] = []
    do {
      let first = try spool()
      for number in 0..<5 { _ = try first.append(record(number)) }
      for _ in 0..<3 {
        guard let record = first.next() else { break }
        ids.append(record.id)
        if ids.count == 2 { first.acknowledge(upTo: record.end) }
      }
    }
    let next = try spool()
    _ = try next.append(record(5))
    let again = try #require(next.next())
    #expect(again.id == ids[2] && again.bytes == record(2))
    next.rewind()
    #expect(records(of: next) == ["record 2", "record 3", "record 4", "record 5"])
    #expect(next.damage.isEmpty)
  }

  @Test func `beyond the limit the oldest is given up`() throws {
    let spool = try spool(limit: 1_000_000)
    var givenUp: [[UInt8]] = []
    for number in 0..<2000 { givenUp += try spool.append(record(number, padding: 1000)) }
    let kept = records(of: spool).count
    #expect(kept + givenUp.count == 2000 && kept > 900)
    #expect(givenUp == (0..<givenUp.count).map { record($0, padding: 1000) })
    let bytes = try segments().reduce(0) { $0 + fileLength("\(folder)/\($1)") }
    #expect(bytes <= 1_000_000)
  }

  @Test func `one process uses a spool`() throws {
    let first = try spool()
    let error = #expect(throws: RSSIError.self) { try spool() }
    #expect(error?.kind == .unavailable)
    first.end()
    _ = try spool()
  }

  @Test func `only the user may read it`() throws {
    let spool = try spool()
    _ = try spool.append(record(1))
    func mode(_ path: String) throws -> Int {
      try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int ?? 0
    }
    #expect(try mode(folder) == 0o700)
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      #expect(try mode("\(folder)/\(name)") == 0o600)
    }
  }

  @Test func `a foreign file is left alone`() throws {
    _ = try spool()
    let path = "\(folder)/00000000000000000007.segment"
    try Data("not a segment, although it is longer than a header".utf8).write(
      to: URL(filePath: path))
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder)/notes.segment", withDestinationPath: "/etc/passwd")
    let spool = try spool()
    _ = try spool.append(record(1))
    #expect(records(of: spool) == ["record 1"])
    #expect(spool.damage.count == 1 && spool.damage[0].contains(path))
    #expect(try segments().contains("00000000000000000008.segment"))
    #expect(fileLength(path) == 50)
  }

  @Test func `a damaged record is left out`() throws {
    do {
      let spool = try spool()
      for number in 0..<5 { _ = try spool.append(record(number)) }
    }
    let path = "\(folder)/\(try #require(try segments().first))"
    var bytes = try Data(contentsOf: URL(filePath: path))
    bytes[SpoolSegment.headerLength + SpoolSegment.recordHeaderLength + 2] ^= 1
    try bytes.write(to: URL(filePath: path))
    #expect(
      records(of: try spool()) == [nil, "record 1", "record 2", "record 3", "record 4"])
  }

  /// A flipped bit in a length hides no other record, and not even its own.
  @Test func `a damaged length is mended`() throws {
    do {
      let spool = try spool()
      for number in 0..<8 { _ = try spool.append(record(number, padding: 20 * number)) }
    }
    let path = "\(folder)/\(try #require(try segments().first))"
    let whole = try Data(contentsOf: URL(filePath: path))
    let texts = (0..<8).map { String(decoding: record($0, padding: 20 * $0), as: UTF8.self) }
    var offset = SpoolSegment.headerLength
    for number in 0..<8 {
      for bit in 0..<32 {
        var bytes = whole
        bytes[offset + bit / 8] ^= 1 << (bit % 8)
        try bytes.write(to: URL(filePath: path))
        let spool = try spool()
        #expect(records(of: spool) == texts, "record \(number), bit \(bit)")
        #expect(spool.waiting == 8)
        spool.end()
      }
      offset += SpoolSegment.recordHeaderLength + record(number, padding: 20 * number).count
    }
  }

  /// What is behind a damaged stretch is found, whatever stands in the stretch.
  @Test func `what follows a damaged stretch is read`() throws {
    var generator = SeededGenerator(seed: 9)
    do {
      let spool = try spool()
      for number in 0..<20 { _ = try spool.append(record(number, padding: 60)) }
    }
    let path = "\(folder)/\(try #require(try segments().first))"
    let whole = try Data(contentsOf: URL(filePath: path))
    let length = SpoolSegment.recordHeaderLength + record(0, padding: 60).count
    for _ in 0..<100 {
      var bytes = whole
      let start =
        SpoolSegment.headerLength + 2 * length + Int.random(in: 0..<5 * length, using: &generator)
      let end = start + Int.random(in: 1..<4 * length, using: &generator)
      let noise = (start..<end).map { _ in
        Bool.random(using: &generator) ? 0 : UInt8.random(in: 0...255, using: &generator)
      }
      bytes.replaceSubrange(start..<end, with: noise)
      try bytes.write(to: URL(filePath: path))
      let spool = try spool()
      let found = records(of: spool)
      let known = (0..<20).map { String(decoding: record($0, padding: 60), as: UTF8.self) }
      let read = found.compactMap(\.self)
      #expect(
        read.allSatisfy(known.contains)
          && read == read.sorted { known.firstIndex(of: $0)! < known.firstIndex(of: $1)! })
      #expect(read.suffix(9) == known.suffix(9), "\(found.count)")
      #expect(read.prefix(2) == known.prefix(2))
      // The file is kept where anything of it is lost.
      var place: SpoolPlace?
      spool.rewind()
      while let record = spool.next() { place = record.end }
      if let place { spool.acknowledge(upTo: place) }
      spool.end()
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(names.contains { $0.hasSuffix(Spool.damagedSuffix) } == found.contains(nil))
      for name in names where name.hasSuffix(Spool.damagedSuffix) {
        try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
      }
    }
  }

  /// A flipped bit in the count of acknowledged records sends some again, and loses none.
  @Test func `a damaged count loses nothing`() throws {
    do {
      let spool = try spool()
      for number in 0..<6 { _ = try spool.append(record(number)) }
      for number in 0..<3 {
        if let record = spool.next(), number == 2 { spool.acknowledge(upTo: record.end) }
      }
    }
    let path = "\(folder)/\(try #require(try segments().first))"
    let whole = try Data(contentsOf: URL(filePath: path))
    for bit in 0..<64 {
      var bytes = whole
      bytes[24 + bit / 8] ^= 1 << (bit % 8)
      try bytes.write(to: URL(filePath: path))
      let spool = try spool()
      #expect(records(of: spool).suffix(3) == ["record 3", "record 4", "record 5"], "bit \(bit)")
    }
  }

  @Test func `a segment of an earlier program is read`() throws {
    do {
      let spool = try spool()
      for number in 0..<4 { _ = try spool.append(record(number)) }
    }
    let path = "\(folder)/\(try #require(try segments().first))"
    var bytes = try Data(contentsOf: URL(filePath: path))
    bytes.replaceSubrange(0..<8, with: Array("rssispl1".utf8))
    bytes.replaceSubrange(24..<32, with: [1, 0, 0, 0, 0, 0, 0, 0])
    try bytes.write(to: URL(filePath: path))
    let spool = try spool()
    let first = try #require(spool.next())
    #expect(first.bytes == record(1))
    spool.acknowledge(upTo: first.end)
    let count = try Data(contentsOf: URL(filePath: path))[24..<32]
    #expect(Array(count) == [2, 0, 0, 0, 0, 0, 0, 0])
  }

  /// Wherever a kill cuts the file, what is read back is what was appended up to there.
  @Test func `wherever it is cut the records are a prefix`() throws {
    var generator = SeededGenerator(seed: 5)
    let appended = (0..<40).map { number in
      record(number, padding: .random(in: 0...200, using: &generator))
    }
    do {
      let spool = try spool()
      for bytes in appended { _ = try spool.append(bytes) }
    }
    let path = "\(folder)/\(try #require(try segments().first))"
    let whole = try Data(contentsOf: URL(filePath: path))
    let texts = appended.map { String(decoding: $0, as: UTF8.self) }
    for _ in 0..<200 {
      let length = Int.random(in: 0...whole.count, using: &generator)
      try whole.prefix(length).write(to: URL(filePath: path))
      let spool = try spool()
      let found = records(of: spool)
      #expect(found == Array(texts.prefix(found.count)))
      let lengths = appended.prefix(found.count + 1).map {
        $0.count + SpoolSegment.recordHeaderLength
      }
      // The next one is not whole.
      let needed = SpoolSegment.headerLength + lengths.reduce(0, +)
      #expect(found.count == appended.count || length < needed)
      spool.end()
    }
  }

  /// Whatever a file holds behind its header, it is read to an end.
  @Test func `hostile bytes are read to an end`() throws {
    var generator = SeededGenerator(seed: 6)
    do {
      let spool = try spool()
      for number in 0..<20 { _ = try spool.append(record(number, padding: 50)) }
    }
    let path = "\(folder)/\(try #require(try segments().first))"
    let whole = try Data(contentsOf: URL(filePath: path))
    for _ in 0..<300 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...8, using: &generator) {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(
          in: 0...255, using: &generator)
      }
      try bytes.write(to: URL(filePath: path))
      let spool = try spool()
      for text in records(of: spool) where text != nil {
        #expect(text?.hasPrefix("record ") == true)
      }
      spool.end()
      try? FileManager.default.removeItem(atPath: path)
    }
  }
}
