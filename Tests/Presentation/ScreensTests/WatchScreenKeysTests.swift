import NumericalMethods
import Proximity
import Testing

@testable import Screens

@Suite("A watch's screen after keys") struct WatchScreenKeysTests {
  private static let uuid = "5E1F0A3C-7B42-4D96-A8E1-2C90D4B7F365"

  /// Eight iBeacons of one UUID, the nearest first.
  private var room: WatchScreen {
    var screen = sampleScreen()
    screen.events = []
    screen.beacons = (0..<8).map { index in
      beacon(
        index, "ibeacon:\(Self.uuid):1:\(index)", .far, Double(index + 1),
        Interval(lower: 0.5, upper: 20), -60 - Double(index))
    }
    return screen
  }

  private func text(_ keys: String) -> [Key] { keys.unicodeScalars.map(Key.character) }

  @Test func `identities are whole where they fit`() {
    let wide = room.canvas(170, 30, keys: text("r")).lines
    #expect(wide[1].hasPrefix("   beacon"))
    #expect(wide[2].hasPrefix("A  ibeacon:\(Self.uuid):1:0 far"))
    let narrow = room.canvas(80, 24).lines
    #expect(narrow[1] == "UUID \(Self.uuid)" && narrow[3].hasPrefix("A  1:0      far"))
  }

  @Test func `events use the names of the list`() {
    var screen = room
    let other = "ibeacon:6E1F0A3C-7B42-4D96-A8E1-2C90D4B7F365:1:9"
    screen.events = [screen.beacons[2].name, BeaconName(other)].map {
      ScreenEvent(change(.enter, .unknown, at: 19), of: $0, region: nil)
    }
    let lines = screen.canvas(80, 24).lines
    #expect(lines[1].hasPrefix("   beacon") && lines[2].hasPrefix("A  5E1F…:1:0"))
    #expect(lines.contains { $0.hasPrefix("14:03:19 6E1F…:1:9") })
    #expect(lines.contains { $0.hasPrefix("14:03:19 5E1F…:1:2") })
  }

  @Test func `a receiver is named where there are several`() {
    var screen = room
    screen.beacons[0].name.receiver = "hall"
    #expect(screen.canvas(80, 24).lines[3].hasPrefix("A  1:0 at hall "))
  }

  @Test(arguments: [(120, 40), (80, 24), (45, 12), (40, 10), (20, 5), (18, 3)])
  func `every size has a beacon and no range is inverted`(columns: Int, rows: Int) throws {
    for isSeeking in [false, true] {
      var screen = room
      if isSeeking {
        screen.seek = SeekState(
          name: screen.beacons[0].name, trend: .warmer, distance: nil, interval: nil, level: -60,
          history: [])
      }
      for keys in [[], [.end], text("rssss"), [.pageDown, .escape]] {
        let lines = screen.canvas(columns, rows, keys: keys).lines
        #expect(lines.contains { $0.contains(/^[A-H]  1:\d +(far|-6)/) }, "\(lines)")
        let range = lines.last?.firstMatch(of: /(\d+)–(\d+) of (\d+)/)
        guard let range, let first = Int(range.1), let last = Int(range.2) else { continue }
        #expect(first <= last && last <= 8 && range.3 == "8")
      }
    }
  }

  @Test(arguments: [(17, 20), (80, 2), (1, 1)])
  func `a smaller screen has a message`(columns: Int, rows: Int) {
    let lines = room.canvas(columns, rows).lines
    #expect("Terminal too small: 18 × 3 needed".hasPrefix(lines[0]) && !lines[0].isEmpty)
  }

  @Test func `help names every key`() {
    let lines = room.canvas(80, 24, keys: text("?")).lines
    for key in ["q", "Space", "Enter", "s ", "/", "Esc", "r ", "Ctrl-Z"] {
      #expect(lines.contains { $0.hasPrefix(key) }, "\(key)")
    }
    #expect(lines.last == "any key closes the help")
    #expect(room.canvas(80, 24, keys: text("?x")).lines == room.canvas(80, 24).lines)
  }

  @Test func `searches names and identities`() {
    let found = room.canvas(80, 24, keys: text("/f365:1:7")).lines
    #expect(found[3].hasPrefix("H  1:7") && found[4].isEmpty)
    #expect(found.last == "/f365:1:7_  1 of 8  Enter keep  Esc clear")
    #expect(found[0].contains("8 in sight"))
    let kept = room.canvas(80, 24, keys: text("/1:7") + [.enter]).lines
    #expect(kept.last?.contains("/1:7: 1 of 8") == true)
    #expect(room.canvas(80, 24, keys: text("/1:7") + [.escape]).lines == room.canvas(80, 24).lines)
    let none = room.canvas(80, 24, keys: text("/nothing")).lines
    #expect(none.contains("no beacon matches"))
    let named = sampleScreen().canvas(80, 24, keys: text("/DOOR")).lines
    #expect(named.contains { $0.hasPrefix("A  Front door") })
    #expect(!named.contains { $0.hasPrefix("AB Bike") })
  }

  @Test func `sorts by every column`() throws {
    var screen = room
    for index in screen.beacons.indices {
      screen.beacons[index].silence = Double((index * 3) % 8)
      screen.beacons[index].rate = Double((index * 5) % 8)
      screen.beacons[index].level = -60 - Double((index * 7) % 8)
    }
    screen.beacons[7].level = .nan
    for (count, order, first, last) in [
      (0, "nearest", "A", "H"), (1, "strongest", "A", "H"), (2, "last heard", "A", "F"),
      (3, "rate", "D", "A"), (4, "name", "A", "H"), (5, "nearest", "A", "H"),
    ] {
      let keys = Array(repeating: Key.character("s"), count: count)
      let lines = screen.canvas(80, 30, keys: keys + text("r")).lines
      #expect(lines.last?.contains("s sort: \(order)") == true)
      let marks = lines.compactMap { $0.firstMatch(of: /^([A-H])  1:/).map { String($0.1) } }
      #expect(marks.first == first && marks.last == last && marks.count == 8, "\(order) \(marks)")
    }
  }

  @Test func `a selected beacon is shown whole`() {
    var screen = room
    screen.beacons[1].name = BeaconName(
      screen.beacons[1].name.identity, given: "Desk", receiver: "hci0")
    screen.beacons[1].detail.deviation = 1.24
    screen.beacons[1].detail.sightings = 412
    screen.beacons[1].detail.kind = "ibeacon"
    screen.beacons[1].detail.first = 50_580_000_000_000
    screen.beacons[1].detail.last = 50_610_000_000_000
    screen.beacons[1].detail.channels = [37, 39]
    let lines = screen.canvas(80, 24, keys: [.down, .down, .enter]).lines
    for line in [
      "beacon B    ibeacon:\(Self.uuid):1:1", "name        Desk", "kind        ibeacon",
      "level       -61.0 dBm, standard deviation 1.2 dB",
      "distance    2.00 m (95 % 0.50–20.0 m)", "rate        4.0/s, 412 sightings",
      "first seen  14:03:00 UTC", "last seen   14:03:30 UTC, 0.3 s ago", "channels    37 39",
      "receiver    hci0",
    ] {
      #expect(lines.contains(line), "\(line)")
    }
    // Nothing of the identity is missing where it does not fit into a line.
    let narrow = screen.canvas(20, 5, keys: [.down, .down, .enter]).lines
    #expect(narrow.prefix(3).joined() == "ibeacon:\(Self.uuid):1:1")
    #expect(
      screen.canvas(80, 24, keys: [.down, .enter, .escape, .escape]) == screen.canvas(80, 24))
  }

  @Test func `the selected line is seen without colours`() {
    var painter = Painter(isColoured: false)
    let codes = painter.paint(room.canvas(80, 24, keys: [.down]))
    #expect(codes.contains(/\u{1B}\[0;7mA  1:0/))
  }

  @Test func `a pause names its effect`() {
    var screen = room
    screen.pause = .replay
    #expect(screen.canvas(80, 24).lines.last?.hasPrefix("PAUSED, replay") == true)
    screen.pause = .screen(received: 412)
    #expect(screen.canvas(80, 24).lines.last?.contains("receiving: 412") == true)
  }
}
