import Recordings
import Sightings
import Support
import TestSupport
import Testing

@Suite struct SightingCSVTests {
  private let header = "trace,time_s,receiver,beacon,rssi_dbm,channel,distance_m,pose\n"
  private let good = "t,1700000000.25,r,b,-60,37,2.5,\n"

  @Test func `every field is taken`() throws {
    let reading = try readTable(
      header + good
        + "u,1700000001,r,\"b,\n2\",,,,\n\n\"t\",1700000002.000000001,s,b,-61.5,39,2.5,hand\n")
    #expect(
      reading.all(\.time) == [
        1_700_000_000_250_000_000, 1_700_000_001_000_000_000, 1_700_000_002_000_000_001,
      ])
    #expect(reading.beacons == ["b", "b,\n2", "b"])
    #expect(reading.receivers == ["r", "r", "s"])
    #expect(reading.traces == ["t", "u", "t"])
    #expect(reading.all(\.rssi).map { "\($0)" } == ["-60.0", "nan", "-61.5"])
    #expect(reading.all(\.channel) == [37, 255, 39])
    #expect(reading.all(\.stay) == [0, Sighting.none, 1])
    #expect(reading.catalogue.stays.map(\.distance) == [2.5, 2.5])
    #expect(reading.catalogue.stays.map(\.pose) == ["", "hand"])
    #expect(reading.refused.isEmpty)
  }

  @Test(arguments: [
    ("t,1,r,b,-60,37,2", "wrong-field-count"), ("t,1,r,b,-60,37,2,,", "wrong-field-count"),
    ("t,\"1,r,b,-60,37,2,", "bad-quotes"), ("t,1,\"r\"x,b,-60,37,2,", "bad-quotes"),
    ("t,yesterday,r,b,-60,,,", "bad-time"), ("t,,r,b,-60,,,", "bad-time"),
    ("t,1700000000000,r,b,-60,,,", "time-not-in-seconds"), ("t,1,r,b,loud,,,", "bad-rssi"),
    ("t,1,r,b,nan,,,", "bad-rssi"), ("t,1,,b,-60,,,", "missing-name"),
    ("t,1,r,,-60,,,", "missing-name"), (",1,r,b,-60,,,", "missing-name"),
    ("t,1,r,b,-60,256,,", "bad-channel"), ("t,1,r,b,-60,3.5,,", "bad-channel"),
    ("t,1,r,b,-60,,-1,", "bad-distance"), ("t,1,r,b,-60,,near,", "bad-distance"),
    (String(repeating: "x", count: 70_000), "line-too-long"),
  ])
  func `a bad row is counted alone`(_ row: String, _ reason: String) throws {
    let reading = try readTable(header + good + row + "\n" + good + row + "\n" + good)
    #expect(reading.all(\.time).count == 3)
    #expect(reading.refused == [reason: 2])
    let text = problem { _ = try readTable(header + "\n" + row + "\n") }
    #expect(text == "none of its 1 rows can be read (line 3: \(reason))")
  }

  @Test func `a frequency is a channel`() throws {
    let reading = try readTable(
      "time_s,receiver,beacon,rssi_dbm,channel,frequency_mhz\n1,r,b,-60,,2402\n2,r,b,-60,,2426\n"
        + "3,r,b,-60,,2480.0\n4,r,b,-60,12,2402\n5,r,b,-60,,\n6,r,b,-60,,2403\n7,r,b,-60,,high\n")
    #expect(reading.all(\.channel) == [37, 38, 39, 12, 255])
    #expect(reading.refused == ["bad-channel": 2])
  }

  @Test func `levels that are none are kept as none`() throws {
    let rows = ["127", "100", "", "-128", "20", "-127"].map { "t,1,r,b,\($0),,,\n" }
    let reading = try readTable(header + rows.joined())
    #expect(reading.all(\.rssi).map { "\($0)" } == ["nan", "nan", "nan", "nan", "20.0", "-127.0"])
  }

  @Test(arguments: [
    ("series,time_s,receiver,beacon,rssi_dbm\ns,1,r,b,-6\n", "s"),
    ("time_s,receiver,beacon,rssi_dbm\n1,r,b,-6\n", "walk-7"),
    ("\u{FEFF}rssi_dbm,beacon,receiver,time_s,trace\r\n-6,b,r,1,t\r\n", "t"),
  ])
  func `a trace is named by a column or the file`(_ text: String, _ trace: String) throws {
    let reading = try readTable(text)
    #expect(reading.traces == [trace])
    #expect(reading.beacons == ["b"])
  }

  @Test func `a table without rows`() throws {
    #expect(problem { _ = try readTable(header + "\n\n") } == "it has a header but no rows")
    #expect(throws: RSSIError.self) { _ = try readTable("") }
  }

  @Test func `reports the number of accepted rows`() throws {
    _ = try Reading(header + good + "bad\n" + good) { path, builder in
      let count = try SightingCSV.read(path, into: &builder)
      #expect(count == 2)
    }
  }

  /// Rows without quotes are cut on all cores, rows with quotes one by one: quotes that no field
  /// needs change nothing, wherever the parts of the table end.
  @Test(arguments: [1, 2, 3])
  func `quotes that no field needs change nothing`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let ends = ["\n", "\r\n"]
    let oddRows = ["", "t,1,r", "t,late,r,b,-60,,,", "t,1,r,\u{0}b,-60,,,", "t,1,r,b,-60,,,,,,"]
    var plainTable = header
    var quotedTable = header
    for row in 0..<60_000 {
      let isOdd = Int.random(in: 0..<50, using: &random) == 0
      let fields =
        isOdd
        ? oddRows.randomElement(using: &random) ?? ""
        : [
          "t\(row / 21_000)", "\(row / 3).5", "r\(row % 3)",
          ["", "'=", "'"].randomElement(using: &random).map { $0 + "b\(row * row % 701)" } ?? "",
          ["-60", "-61.25", ""].randomElement(using: &random) ?? "",
          ["37", ""].randomElement(using: &random) ?? "",
          row % 100 < 50 ? "2.5" : "", ["flat", ""].randomElement(using: &random) ?? "",
        ].joined(separator: ",")
      let end = ends.randomElement(using: &random) ?? ""
      plainTable += fields + end
      // One in a thousand of the first and the last is in quotes, so that both ways take turns.
      let isQuoted = !isOdd && row % 1000 == 999 && !(20_000..<50_000).contains(row)
      quotedTable +=
        (isQuoted
          ? fields.split(separator: ",", omittingEmptySubsequences: false).map { "\"\($0)\"" }
            .joined(separator: ",") : fields) + end
    }
    let plain = try readTable(plainTable)
    let quoted = try readTable(quotedTable)
    #expect(plain.refused.count == 3)
    #expect(plain.all(\.time).count + plain.refused.values.map(Int.init).reduce(0, +) > 55_000)
    #expect(plain.refused == quoted.refused)
    #expect(plain.beacons == quoted.beacons)
    #expect(plain.receivers == quoted.receivers)
    #expect(plain.traces == quoted.traces)
    #expect(plain.all(\.time) == quoted.all(\.time))
    #expect(plain.all(\.rssi).map(\.bitPattern) == quoted.all(\.rssi).map(\.bitPattern))
    #expect(plain.all(\.channel) == quoted.all(\.channel))
    #expect(plain.all(\.stay) == quoted.all(\.stay))
    #expect(plain.catalogue.stays.map(\.pose) == quoted.catalogue.stays.map(\.pose))
    #expect(plain.blocks.map(\.count) == quoted.blocks.map(\.count))
  }

  /// The rows of a table, read one character after the other (RFC 4180).
  private func plainRows(_ table: String) -> [[String]] {
    var rows: [[String]] = []
    var fields: [String] = []
    var field = ""
    var isQuoted = false
    for character in table.unicodeScalars where character != "\r" {
      switch character {
      case "\"": isQuoted.toggle()
      case "," where !isQuoted:
        fields.append(field)
        field = ""
      case "\n" where !isQuoted:
        rows.append(fields + [field])
        (fields, field) = ([], "")
      default: field.unicodeScalars.append(character)
      }
    }
    return rows
  }

  /// Tables with and without quotes, of every length of fields and either end of lines.
  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func `random tables are read as by a plain reader`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let hasQuotes = seed.isMultiple(of: 2)
    let names = ["a", "hci0", "node:0:1", "b'", "éß", "0123456789abcdef", "=1"]
    func name() -> String {
      let name = (0..<Int.random(in: 1...3, using: &random))
        .map { _ in names.randomElement(using: &random) ?? "" }.joined()
      return hasQuotes && Bool.random(using: &random) ? name + ",\n" : name
    }
    var table = header
    for _ in 0..<2000 {
      let fields = [
        name(),
        "\(Int.random(in: -9...1_700_000_000, using: &random)).\(["0", "25", "500"].randomElement(using: &random) ?? "")",
        name(), name(),
        ["", "-60", "-61.25", "-7.5e1"].randomElement(using: &random) ?? "",
        ["", "37", "39.0"].randomElement(using: &random) ?? "",
        ["", "2.5", "0010"].randomElement(using: &random) ?? "", "",
      ]
      let written = fields.map { field in
        let isQuoted = field.contains(",") || hasQuotes && Bool.random(using: &random)
        return isQuoted ? "\"\(field)\"" : field
      }
      table += written.joined(separator: ",") + (Bool.random(using: &random) ? "\r\n" : "\n")
    }
    let reading = try readTable(table)
    let rows = plainRows(table).dropFirst()
    #expect(rows.count == 2000)
    #expect(reading.refused.isEmpty)
    #expect(reading.traces == rows.map { $0[0] })
    #expect(reading.all(\.time) == rows.map { Int64((Double($0[1]) ?? .nan) * 4) * 250_000_000 })
    #expect(reading.receivers == rows.map { $0[2] })
    #expect(reading.beacons == rows.map { $0[3] })
    let levels = rows.map { Float($0[4]) ?? .nan }
    #expect(reading.all(\.rssi).map(\.bitPattern) == levels.map(\.bitPattern))
    #expect(reading.all(\.channel) == rows.map { Double($0[5]).map { UInt8($0) } ?? 255 })
    let distances = reading.all(\.stay).map { stay in
      stay == Sighting.none ? nil : reading.catalogue.stays[Int(stay)].distance
    }
    #expect(distances == rows.map { Double($0[6]) })
  }

  @Test func `the line of the first refused row is counted through parts`() throws {
    let bad = String(repeating: "t,late,r,b,-60,,,\n", count: 3)
    let text = problem { _ = try readTable(header + "\"t\",late,r,b,-60,,,\n" + bad) }
    #expect(text == "none of its 4 rows can be read (line 2: bad-time)")
    let blank = String(repeating: "\n", count: 3_000_000)
    let late = problem { _ = try readTable(header + blank + bad) }
    #expect(late == "none of its 3 rows can be read (line 3000002: bad-time)")
  }
}
