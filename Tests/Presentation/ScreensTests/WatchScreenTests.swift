import NumericalMethods
import Proximity
import Screens
import TestSupport
import Testing

struct WatchScreenTests {
  @Test func `shows list radar and events beside each other`() {
    let lines = sampleScreen().canvas(120, 24).lines
    #expect(lines[0].hasPrefix(" rssi watch  hci0"))
    #expect(lines[0].hasSuffix("4 in sight  42/s  14:03:22 UTC"))
    #expect(lines[1].hasPrefix("UUID F7826DA6-4FA2-4E98-8024-BC5B71E0893E "))
    #expect(lines[3].hasPrefix("A  Front door"))
    #expect(lines[3].contains("immediate   0.31     0.20–0.49 -48.2   4.0"))
    // Three rows per beacon, for its history.
    #expect(lines[6].hasPrefix("B  Café 会議室"))
    #expect(lines[9].hasPrefix("C  1:7 "))
    #expect(lines[12].hasPrefix("AB Bike") && lines[12].contains("–"))
    #expect(lines.contains { $0.contains("are arbitrary") })
    #expect(lines.contains { $0.contains("◉") })
    let events = lines.firstIndex { $0.hasPrefix("events") }
    #expect(events.map { lines[$0 + 1].hasPrefix("14:03:21 Front door") } == true)
    #expect(lines[23].hasPrefix("q quit"))
  }

  @Test func `a large screen has tall histories, and events in the rest`() {
    let lines = sampleScreen().canvas(120, 36).lines
    let names = ["A  Front door", "B  Café", "C  1:7 ", "AB Bike", "events"]
    let places = names.map { name in lines.firstIndex { $0.hasPrefix(name) } }
    // Two rows of head, four rows per beacon, and one row between list and events.
    #expect(places == [3, 7, 11, 15, 20])
    // The lowest row of a bar is full.
    #expect(lines[6].contains("█"))
    var crowded = sampleScreen()
    for number in 28..<48 {
      crowded.beacons.append(beacon(number, "Tag \(number)", .far, 9, nil, -80))
    }
    let full = crowded.canvas(120, 36).lines
    #expect(full[4].hasPrefix("B  Café") && full[26].hasPrefix(" ") == false, "\(full)")
  }

  @Test func `is what it was at small sizes`() {
    var screen = sampleScreen()
    for index in screen.beacons.indices { screen.beacons[index].history = [] }
    #expect(
      screen.canvas(44, 10).lines == [
        " rssi watch… 4 in sight  42/s  14:03:22 UTC",
        "UUID F7826DA6-4FA2-4E98-8024-BC5B71E0893E",
        "   beacon      zone      metres   dBm   1/s",
        "A  Front door  immediate   0.31 -48.2   4.0",
        "B  Café 会議室 near        1.80 -61.4   4.0",
        "C  1:7         far         7.40 -74.9   4.0",
        "AB Bike        unknown        – -91.0   4.0",
        "events",
        "14:03:21 Front door is immediate now, was n…",
        "q quit  ? help  s sort: nearest  Space pause",
      ])
    #expect(
      sampleScreen().canvas(25, 3, isUnicode: false).lines == [
        "A  Fr~t door   0.31 -48.2", "B  Caf? ???    1.80 -61.4",
        "q quit  ? help  1-2 of 4",
      ])
  }

  @Test func `fits into any size and holds no command`() {
    var generator = SeededGenerator(seed: 7)
    let hostile = [
      "\u{1B}[2J\u{7}x", "\u{202E}evil\u{200D}", "会議室会議室会議室", "a\u{301}\u{302}\u{303}\u{304}",
      "👨‍👩‍👧🇩🇪👍🏽", "\r\n\t\u{9B}31m", "",
    ]
    for columns in Array(1...45) + [60, 79, 100, 133, 240] {
      for rows in Array(1...26) + [40, 90] where generator.next() % 4 == 0 {
        var screen = sampleScreen()
        for index in 0..<Int(generator.next() % 40) {
          let distance = Double(generator.next() % 100_000) / 10
          screen.beacons.append(
            beacon(
              index + 4, hostile[index % hostile.count], .far, distance,
              Interval(
                lower: distance / 2, upper: index % 3 == 0 ? .infinity : distance * 2), .nan))
        }
        if rows % 5 == 0 { screen.pause = .screen(received: 1_000_000) }
        (screen.message, screen.source) = (rows % 2 == 0 ? "\u{1B}]0;title\u{7}" : "", "\u{1B}c")
        if rows % 3 == 0 { screen.seek = lostSeek }
        let isUnicode = columns % 2 == 0
        let keys: [[Key]] = [
          [], [.character("?")], [.down, .enter], [.character("/"), .character("e")],
        ]
        let canvas = screen.canvas(
          columns, rows, keys: keys[Int(generator.next() % 4)], isUnicode: isUnicode)
        #expect(canvas.lines.count == rows)
        for line in canvas.lines {
          #expect(PrintableText(line).columns <= columns)
          // What is printable stays what it is.
          #expect(PrintableText(line).text == line)
          if !isUnicode { #expect(line.utf8.allSatisfy { $0 < 0x7F }) }
        }
      }
    }
  }

  @Test func `radar can be switched off`() {
    let lines = sampleScreen().canvas(120, 24, keys: [.character("r")]).lines
    #expect(!lines.contains { $0.contains("◉") })
  }

  @Test func `search is seen from afar`() {
    var screen = sampleScreen()
    screen.seek = SeekState(
      name: screenName("Bike"), trend: .warmer, distance: 1.8,
      interval: Interval(lower: 1.1, upper: 2.9),
      level: -65,
      history: [-80, -70, .nan, -65])
    let lines = screen.canvas(60, 20).lines
    #expect(lines[1] == "seeking Bike")
    #expect(lines[2].contains("█▄▀▄█") || lines[2].contains("█   █"))
    #expect(lines[6] == String(repeating: "█", count: 30) + String(repeating: "░", count: 30))
    #expect(lines[7] == "-65.0 dBm   1.80 m (95 % 1.10–2.90 m)")
    #expect(lines[8].hasSuffix(" ▅"))
    screen.seek = lostSeek
    let tiny = screen.canvas(20, 3).lines
    #expect(tiny[0] == "SIGNAL LOST")
  }

  @Test func `a search without a clear change is quiet, in the rows of the large letters`() {
    var screen = sampleScreen()
    screen.seek = SeekState(
      name: screenName("Bike"), trend: .unsure, distance: nil, interval: nil, level: -65,
      history: [-65])
    let small = screen.canvas(20, 3).lines
    #expect(small[0] == "no clear change")
    let lines = screen.canvas(60, 20).lines
    #expect(lines[2].isEmpty && lines[4].isEmpty, "\(lines[2...4])")
    #expect(lines[3].trimmingPrefix { $0 == " " } == "no clear change")
  }

  private var lostSeek: SeekState {
    SeekState(
      name: screenName("\u{1B}[1m"), trend: .lost, distance: nil, interval: nil, level: .nan,
      history: [])
  }
}
