import NumericalMethods
import Proximity
import Screens
import TestSupport
import Testing

struct WatchScreenTests {
  @Test func showsListRadarAndEventsBesideEachOther() {
    let lines = sampleScreen().canvas(ScreenSize(columns: 120, rows: 24), ScreenControls()).lines
    #expect(lines[0].hasPrefix(" rssi watch  hci0"))
    #expect(lines[0].hasSuffix("4 in sight  42/s  14:03:22 UTC"))
    #expect(lines[2].hasPrefix("A  Front door"))
    #expect(lines[2].contains("immediate   0.31     0.20–0.49 -48.2"))
    #expect(lines[3].hasPrefix("B  Café 会議室"))
    // Identities differ at their ends.
    #expect(lines[4].contains("93E:1:7"))
    #expect(lines[5].hasPrefix("AB Bike") && lines[5].contains("–"))
    #expect(lines.contains { $0.contains("directions mean nothing") })
    #expect(lines.contains { $0.contains("◉") })
    let events = lines.firstIndex { $0.hasPrefix("events") }
    #expect(events.map { lines[$0 + 1].hasPrefix("14:03:21 Front door is immediate now") } == true)
    #expect(lines[23].hasPrefix("q quit"))
  }

  @Test func isWhatItWasAtSmallSizes() {
    var screen = sampleScreen()
    for index in screen.beacons.indices { screen.beacons[index].history = [] }
    #expect(
      screen.canvas(ScreenSize(columns: 44, rows: 10), ScreenControls()).lines == [
        " rssi watch… 4 in sight  42/s  14:03:22 UTC",
        "   beacon   zone      metres   dBm last 9 s",
        "A  Fr… door immediate   0.31 -48.2",
        "B  Caf…議室 near        1.80 -61.4",
        "C  ib…E:1:7 far         7.40 -74.9",
        "AB Bike     unknown        – -91.0",
        "",
        "events",
        "14:03:21 Front door is immediate now, was n…",
        "q quit  r radar",
      ])
    #expect(
      sampleScreen().canvas(ScreenSize(columns: 25, rows: 2), ScreenControls(), isUnicode: false)
        .lines == ["A  Fr~t door   0.31 -48.2", "B  Caf? ???    1.80 -61.4"])
  }

  @Test func fitsIntoAnySizeAndHoldsNoCommand() {
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
        (screen.message, screen.source) = (rows % 2 == 0 ? "\u{1B}]0;title\u{7}" : "", "\u{1B}c")
        if rows % 3 == 0 { screen.seek = lostSeek }
        let size = ScreenSize(columns: columns, rows: rows)
        let isUnicode = columns % 2 == 0
        let canvas = screen.canvas(size, ScreenControls(), isUnicode: isUnicode)
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

  @Test func radarCanBeSwitchedOff() {
    var controls = ScreenControls()
    controls.press(.radar, count: 4, visible: 10)
    let lines = sampleScreen().canvas(ScreenSize(columns: 120, rows: 24), controls).lines
    #expect(!lines.contains { $0.contains("◉") })
  }

  @Test func searchIsSeenFromAfar() {
    var screen = sampleScreen()
    screen.seek = SeekState(
      name: "Bike", trend: .warmer, distance: 1.8, interval: Interval(lower: 1.1, upper: 2.9),
      level: -65,
      history: [-80, -70, .nan, -65])
    let lines = screen.canvas(ScreenSize(columns: 60, rows: 20), ScreenControls()).lines
    #expect(lines[1] == "seeking Bike")
    #expect(lines[2].contains("█▄▀▄█") || lines[2].contains("█   █"))
    #expect(lines[6] == String(repeating: "█", count: 30) + String(repeating: "░", count: 30))
    #expect(lines[7] == "-65.0 dBm   1.80 m (95 % 1.10–2.90 m)")
    #expect(lines[8].hasSuffix(" ▅"))
    screen.seek = lostSeek
    let tiny = screen.canvas(ScreenSize(columns: 20, rows: 3), ScreenControls()).lines
    #expect(tiny[0] == "SIGNAL LOST")
  }

  @Test("what the levels do not show is called unsure, in letters that can be drawn")
  func unsureSearch() {
    var screen = sampleScreen()
    screen.seek = SeekState(
      name: "Bike", trend: .unsure, distance: nil, interval: nil, level: -65, history: [-65])
    let small = screen.canvas(ScreenSize(columns: 20, rows: 3), ScreenControls()).lines
    #expect(small[0] == "UNSURE")
    let lines = screen.canvas(ScreenSize(columns: 60, rows: 20), ScreenControls()).lines
    // Its first letter, which no other word of a search has.
    #expect(lines[2].drop { $0 == " " }.hasPrefix("█  █ "), "\(lines[2...4])")
  }

  private var lostSeek: SeekState {
    SeekState(
      name: "\u{1B}[1m", trend: .lost, distance: nil, interval: nil, level: .nan, history: [])
  }
}
