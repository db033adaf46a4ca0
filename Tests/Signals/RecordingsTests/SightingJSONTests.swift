import Foundation
import Sightings
import Support
import TestSupport
import Testing

@testable import Recordings

/// Objects of JSON as other programs arrange them.
@Suite struct SightingJSONTests {
  private func read(
    _ bytes: [UInt8], _ map: String = "", zone: String? = nil, notes: inout [String]
  ) throws -> Reading {
    var columns = try map.isEmpty ? ColumnMap() : ColumnMap(map)
    columns.timeZone = try zone.map { try TimeZoneRules($0) }
    var found: [String] = []
    defer { notes = found }
    return try Reading(bytes, name: "walk.json") { path, builder in
      try SightingJSON.read(path, columns, note: { found.append($0) }, into: &builder)
    }
  }

  private func read(_ text: String, _ map: String = "", zone: String? = nil) throws -> Reading {
    var notes: [String] = []
    return try read(Array(text.utf8), map, zone: zone, notes: &notes)
  }

  private let objects = [
    #"{"ts":1714557600100,"mac":"a","rssi":-60}"#, #"{"ts":1714557600200,"mac":"b","rssi":-61.5}"#,
  ]

  @Test(arguments: [
    ("", "\n", ""), ("[", ",", "]"), ("[\n ", "\n ,\n", "\n]\n"), ("\u{FEFF}", "\n", "\n"),
    ("\u{FEFF}[", ",", "]"), ("", "", ""), ("", "\n\n", ""), ("[", "][", "]"), ("[[", "],[", "]]"),
    (#"{"n":{"rssi":[1,"]}"]},"readings":["#, ",", #"],"end":"}"}"#),
    (#"{"data":{"a":[],"list":[ "#, " , ", #"]}, "tags":[{"id":1}]}"#),
  ])
  func `the same objects in every arrangement`(
    _ start: String, _ between: String, _ end: String
  ) throws {
    let reading = try read(start + objects.joined(separator: between) + end)
    #expect(reading.all(\.time) == [1_714_557_600_100_000_000, 1_714_557_600_200_000_000])
    #expect(reading.beacons == ["a", "b"] && reading.all(\.rssi) == [-60, -61.5])
    #expect(reading.traces == ["walk", "walk"] && reading.refused.isEmpty)
  }

  @Test func `objects of stages in an array are read as their lines`() throws {
    let line =
      #"{"time_s":1.5,"beacon":"b","receiver":"r","rssi_dbm":null,"trace":"t","x_m":1,"y_m":2}"#
    let other = #"{"time_s":2,"beacon":"b","receiver":"r","rssi_dbm":-6,"distance_m":4}"#
    let (stream, array) = (try read("\(line)\n\(other)"), try read("[\(line),\n\(other)]"))
    for reading in [stream, array] {
      #expect(reading.all(\.time) == [1_500_000_000, 2_000_000_000])
      #expect(reading.traces == ["t", "walk"] && reading.catalogue.truth.map(\.x) == [1])
      #expect(reading.all(\.rssi)[0].isNaN && reading.catalogue.stays.map(\.distance) == [4])
    }
  }

  @Test func `nested keys, texts and units by a map`() throws {
    let text = """
      [{"at": {"day": "01.05.2024 12:00"}, "d.x": {"lvl": "-63"}, "cm": 183, "b": true},
       {"at": {"day": "01.05.2024 12:01"}, "d.x": {"lvl": -64}, "cm": "100"}]
      """
    let reading = try read(
      text, "time_s=at.day:'%d.%m.%Y %H:%M',rssi_dbm=d.x.lvl,beacon='t',distance_m=cm:cm",
      zone: "Europe/Berlin")
    #expect(reading.all(\.time) == [1_714_557_600_000_000_000, 1_714_557_660_000_000_000])
    #expect(reading.all(\.rssi) == [-63, -64] && reading.beacons == ["t", "t"])
    #expect(reading.catalogue.stays.map(\.distance) == [1.83, 1])
  }

  @Test func `what was inferred is said as a map that reads the same`() throws {
    var notes: [String] = []
    let text = #"[{"meta":{"time":"2024-05-01T10:00:00Z"},"data":{"rssi":"-60"},"x":1}]"#
    let reading = try read(Array(text.utf8), notes: &notes)
    let map = "time_s=meta.time:iso,receiver='receiver',beacon='beacon',rssi_dbm=data.rssi"
    let said = notes.map { $0.split(separator: ": ", maxSplits: 1).last ?? "" }
    #expect(said == ["read with `columns` \"\(map)\"", "not read: column \"x\""])
    let again = try read(Array(text.utf8), map, notes: &notes)
    #expect(again.all(\.time) == reading.all(\.time) && notes.count == 1)
  }

  @Test func `keys that only later objects have are listed, and read by a map`() throws {
    let rows = (1...400).map { number in
      #"{"ts":\#(number),"rssi":-60\#(number > 300 ? #","channel":37"# : "")}"#
    }
    var notes: [String] = []
    let text = Array("[\(rows.joined(separator: ","))]".utf8)
    let reading = try read(text, notes: &notes)
    #expect(Set(reading.all(\.channel)) == [255])
    #expect(notes.contains { $0.contains("not read: key \"channel\"") }, "\(notes)")
    let mapped = try read(text, "channel=channel", notes: &notes)
    #expect(mapped.all(\.channel).count { $0 == 37 } == 100)
    #expect(!notes.contains { $0.contains("not read") })
  }

  @Test(arguments: [
    (#"[{"ts":1,"mac":"a","rssi":-6},{"ts":1,"mac":"a","rssi":-6]"#, "byte 57"),
    ("[{\"ts\":1,\"rssi\":-6,\n{\"ts\":1,\"rssi\":-6}]", "line 2"),
    (#"[{"ts":1,"rssi":-6}]]"#, "byte 20"), (#"{"ts":1,"rssi":-6}}"#, "byte 18"),
    ("[{\"ts\":1,\n\"mac\":\"a,\"rssi\":-6}]", "line 2"),
    ("[{\"ts\":1,\"mac\":\"a\n\",\"rssi\":-6}]", "line 1"),
    (#"{"n":1,"list":[{"ts":1,"rssi":-6]}"#, "byte 32"),
    (String(repeating: #"{"a":"#, count: 2000), "nested deeper than 1000"),
  ])
  func `brackets that do not match are refused with their place`(
    _ text: String, _ place: String
  ) throws {
    let words = try #require(problem { _ = try read(text) })
    #expect(words.contains(place), "\(words)")
  }

  @Test(arguments: [
    (#"[{"ts":1,"mac":"a","rssi":-6},{"ts":"now","mac":"a","rssi":-6}]"#, "bad-time"),
    (#"[{"ts":1,"mac":"a","rssi":-6},{"ts":2,"mac":"a","rssi":"-60 loud"}]"#, "bad-rssi"),
    (#"[{"ts":1,"mac":"a","rssi":-6},{"ts":2,"mac":"a","rssi":[-6]}]"#, "bad-rssi"),
    (#"[{"ts":1,"mac":"a","rssi":-6},{"ts":2,"rssi":-6}]"#, "missing-name"),
    (#"[{"ts":1,"mac":"a","rssi":-6},7,]"#, "bad-json"),
    (#"[{"ts":1,"mac":"a","rssi":-6},"x{"]"#, "bad-json"),
    (#"[{"ts":1,"mac":"a","rssi":-6},{"ts":2 "mac":"a"}]"#, "bad-json"),
    (#"[{"ts":1,"mac":"a","rssi":-6},{"ts":2,"#, "bad-json"),
  ])
  func `an unreadable object is counted alone`(_ text: String, _ reason: String) throws {
    let reading = try read(text, "time_s=ts,beacon=mac,rssi_dbm=rssi,receiver='r'")
    #expect(reading.all(\.rssi) == [-6] && reading.refused == [reason: 1])
  }

  @Test(arguments: [70_000, 600_000])
  func `an object that is too long is counted, and the next is read`(_ length: Int) throws {
    let long =
      #"{"ts":1,"mac":"a","rssi":-6,"note":[""# + String(repeating: "[", count: length) + "\"]}"
    let reading = try read("[\(objects[0]),\(long),\(objects[1])]")
    #expect(reading.all(\.rssi) == [-60, -61.5] && reading.refused == ["line-too-long": 1])
  }

  @Test func `a refusal names object, line, key and value, and the map to complete`() throws {
    for (text, words, map) in [
      (
        "[\n{\"ts\":1,\"mac\":\"a\",\"rssi\":\"x\"}]",
        #"(object 1, line 2: bad-rssi, "rssi" is "x")"#,
        "give `columns` time_s=ts,receiver='receiver',beacon=mac,rssi_dbm=…"
      ),
      (
        #"[{"time_s":1714557600100,"beacon":"a","receiver":"r","rssi_dbm":-6}]"#,
        #"(object 1, line 1: time-not-in-seconds, "time_s" is "1714557600100")"#,
        "give `columns` time_s=time_s:ms,receiver=receiver,beacon=beacon,rssi_dbm=rssi_dbm"
      ),
    ] {
      let error = #expect(throws: RSSIError.self) { _ = try read(text) }
      #expect(error?.problem.contains(words) == true, "\(error?.problem ?? "")")
      #expect(error?.advice?.hasPrefix(map) == true, "\(error?.advice ?? "")")
    }
  }

  @Test(arguments: [
    (#"{"a":{"s":[{"rssi":-6}]},"b":[{"rssi":-6}]}"#, #"several arrays with levels: it has "a.s""#),
    (#"{"power":4,"a":[{"rssi":-6}],"b":[{"rssi":-6}]}"#, "several arrays"),
    (#"{"a":[{"id":1}],"b":2}"#, #"no array of objects with a level: it has "a" (id)"#),
    (#"{"time":[1,2],"rssi":[-6,-7]}"#, #""rssi" has many values"#),
    (#"{"time":{"0":1},"rssi":{"0":-6}}"#, #""rssi" has many values"#),
    (#"[{"time":1,"a":{"rssi":-6},"b":{"rssi":-6}}]"#, #"rssi_dbm may be "a.rssi" or "b.rssi""#),
    (#"[{"time":1,"battery":{"level":6}}]"#, #"column "rssi_dbm" is missing"#),
    (#"[{"time":"2024-05-01 10:00:00","rssi":-6}]"#, "have no zone"),
    ("[]", "it has no object"), ("[[1,2],[3]]", "it has no object"), ("{", "it has no object"),
  ])
  func `nothing is guessed that is not clear`(_ text: String, _ words: String) throws {
    let found = try #require(problem { _ = try read(text) })
    #expect(found.contains(words), "\(found)")
  }

  @Test(arguments: 0..<2)
  func `a file that ends anywhere has all whole objects`(_ kind: Int) throws {
    let start = kind == 0 ? "[\n" : #"{"n":[],"levels":[ "#
    let list = (1...4).map { #"{"ts":\#($0),"mac":"}","rssi":-6}"# }
    let text = Array((start + list.joined(separator: ",\n") + (kind == 0 ? "]" : "]}")).utf8)
    let first = start.utf8.count
    for length in 1..<text.count {
      var notes: [String] = []
      // The objects have 28 bytes, and two between them.
      let inside = length - first
      let whole = inside < 0 ? 0 : min(4, (inside + 2) / 30)
      let rest = inside < 0 ? 0 : inside - whole * 30
      do {
        let reading = try read(Array(text[..<length]), notes: &notes)
        #expect(reading.all(\.rssi).count == whole && whole > 0)
        #expect(reading.refused == (rest > 0 && whole < 4 ? ["bad-json": 1] : [:]))
        #expect(notes.contains { $0.contains("is it whole?") })
      } catch let error as RSSIError {
        #expect(error.kind == .badInput && whole == 0)
      }
    }
  }

  @Test(arguments: 0..<100)
  func `every object of any text is counted`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let values = [
      "1", "-6.5e1", "null", "true", #""a""#, #""\\\"{[\u00e9""#, #"{"x":[{},[]]}"#, "[1,[2]]",
      "01",
      "nope", "é", "-",
    ]
    let spaces = ["", " ", "\n", "\r\n\t"]
    func space() -> String { spaces.randomElement(using: &random) ?? "" }
    let count = Int.random(in: 1...40, using: &random)
    let list = (0..<count).map { _ in
      let members = ["ts", "mac", "rssi", "more"].map { key in
        "\(space())\"\(key)\"\(space()):\(space())\(values.randomElement(using: &random) ?? "1")\(space())"
      }
      return "{\(members.joined(separator: ","))}"
    }
    // Objects of a known outcome, from which the keys are inferred in any case.
    let text = "[\(objects[0]),\(list.joined(separator: ","))\(space())]"
    let reading = try read(text, "time_s=ts:ms,beacon=mac,rssi_dbm=rssi,receiver='r'")
    let refused = reading.refused.values.reduce(0, +)
    #expect(reading.all(\.time).count + Int(refused) == count + 1)
  }

  @Test(arguments: 0..<400)
  func `no bytes make it crash`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let parts = [
      "{", "}", "[", "]", ",", ":", "\"", "\\", "\n", " ", "1", "-60", "\u{FEFF}", "é", "null",
      #""rssi":-60"#, #""time":1"#, #"{"time":1,"rssi":-60}"#, #""list":[{"rssi":1}]"#,
    ]
    var bytes = Array(
      (0..<60).map { _ in parts.randomElement(using: &random) ?? "" }.joined().utf8)
    if seed % 3 == 0 {
      for _ in 0..<8 {
        bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
      }
    }
    var notes: [String] = []
    do {
      let reading = try read(bytes, notes: &notes)
      #expect(!reading.all(\.time).isEmpty)
    } catch let error as RSSIError {
      #expect(error.kind == .badInput && !error.problem.isEmpty)
    }
  }
}
