import LivePipelines
import NumericalMethods
import Registries
import Screens
import Support
import Testing

@testable import Proximity
@testable import Reporting

private final class CollectedLines: LineWriter {
  private(set) var text = ""
  var lines: [Substring] { text.split(separator: "\n") }
  func write(_ text: String) { self.text += text }
  func flush() {}
}

private let door = WatchedBeacon(
  id: "addr:00:11:22:33:44:55", receiver: "r", trace: "t", name: "door")

private func event(
  _ kind: ProximityEvent.Kind, zone: Zone = .near, distance: Double? = nil
) -> ProximityEvent {
  ProximityEvent(
    kind: kind, time: 1_500_000_000, link: 0, region: 0, zone: zone, level: -61.256,
    distance: distance.map {
      DistanceEstimate(distance: $0, interval: Interval(lower: 1, upper: 4))
    },
    range: 2)
}

private func ranged(_ link: Int, level: Double, distance: Double? = nil, silence: Double = 0)
  -> RangedBeacon
{
  RangedBeacon(
    link: link, isHeard: true, zone: .near,
    distance: distance.map { DistanceEstimate(distance: $0, interval: nil) }, level: level,
    variance: 1, silence: silence, sightings: 1)
}

@Suite("Findings of a watch as lines") struct EventLineTests {
  @Test func `have their keys in one order`() {
    #expect(
      EventLine(event(.enter, distance: 2), of: door, region: "shop").text
        == #"{"time_s":1.500000,"event":"enter","region":"shop","beacon":"addr:00:11:22:33:44:55","#
        + #""name":"door","receiver":"r","trace":"t","zone":"near","distance_m":2.000,"#
        + #""ci95_m":[1.000,4.000],"rssi_dbm":-61.26}"# + "\n")
    #expect(
      EventLine(event(.exit(.unheard), zone: .unknown), of: door, region: "shop").text
        .contains(#""zone":"unknown","reason":"unheard","distance_m":null,"ci95_m":null,"#))
  }

  @Test func `names from outside are only text`() throws {
    var beacon = door
    beacon.name = "a\"b\u{1B}"
    let line = EventLine(event(.enter), of: beacon, region: "x\n").text
    #expect(line.contains(#""name":"a\"b\u001b""#) && line.contains(#""region":"x\u000a""#))
    #expect(line.split(separator: "\n").count == 1)
  }

  @Test func `only changes of a search are written`() throws {
    let lines = CollectedLines()
    var output = LineOutput(lines, lists: false)
    for level in [-80.0, -80, -70, -60, -50] {
      var trend = Trend()
      for tenth in 0..<50 { trend.add(level + Double(tenth) / 10, at: Int64(tenth) * 100_000_000) }
      try output.take(
        SeekReading(time: 5_000_000_000, trend: trend, beacon: ranged(0, level: level)), of: door)
    }
    #expect(lines.lines.count == 1)
  }
}

@Suite("A watch on a screen") struct LiveScreenTests {
  private let size = ScreenSize(columns: 100, rows: 20)

  private func lines(_ screen: inout LiveScreen) -> [String] {
    screen.resize(to: size)
    return screen.canvas(isUnicode: true).lines
  }

  private func screen(_ rangings: [RangedBeacon], isReplay: Bool = false) -> LiveScreen {
    var screen = LiveScreen(
      source: "hci0", isReplay: isReplay, settings: WatchSettings(), hasKeys: true)
    take(rangings, in: &screen)
    return screen
  }

  private func take(_ rangings: [RangedBeacon], in screen: inout LiveScreen) {
    screen.take(
      [Ranging(time: 0, region: 0, beacons: rangings)], of: "t", at: 3_600_000_000_000
    ) { WatchedBeacon(id: "b\($0)", receiver: "r", trace: "t") }
  }

  @Test func `lists the nearest first and unknown distances last`() {
    var screen = screen([
      ranged(0, level: -50), ranged(1, level: -40), ranged(2, level: -90, distance: 9),
      ranged(3, level: -90, distance: 2),
    ])
    let shown = lines(&screen)
    #expect(shown[0].contains("hci0") && shown[0].contains("01:00:00 UTC"))
    let order = shown.compactMap { line in line.firstMatch(of: /\bb\d\b/).map { String($0.output) }
    }
    #expect(order.prefix(4) == ["b3", "b2", "b1", "b0"])
  }

  @Test func `is drawn again only after a change`() {
    var screen = screen([ranged(0, level: -50)])
    #expect(screen.isChanged)
    _ = lines(&screen)
    #expect(!screen.isChanged)
    screen.resize(to: size)
    screen.show(nil, at: 0)
    #expect(!screen.isChanged)
    screen.press(.down)
    #expect(screen.isChanged)
  }

  @Test func `a pause holds the screen while a live source is counted`() {
    var screen = screen([ranged(0, level: -50)])
    let before = lines(&screen)
    screen.press(.character(" "))
    #expect(screen.isPaused)
    take([ranged(0, level: -70), ranged(1, level: -60)], in: &screen)
    screen.take(event(.enter), of: door, region: nil)
    let held = lines(&screen)
    #expect(held.dropLast() == before.dropLast())
    #expect(held.last?.hasPrefix("PAUSED, receiving: 2 more") == true)
    screen.show("the disk is full", at: 0)
    #expect(lines(&screen).last?.hasPrefix("PAUSED") == true)
    screen.press(.character(" "))
    let after = lines(&screen)
    #expect(after[0].contains("2 in sight") && after.contains { $0.contains("door appeared") })
    screen.press(.character(" "))
    #expect(lines(&screen).last?.contains("receiving: 0") == true)
  }

  @Test func `a paused replay is shown as such`() {
    var screen = screen([ranged(0, level: -50)], isReplay: true)
    screen.press(.character(" "))
    #expect(lines(&screen).last?.hasPrefix("PAUSED") == true)
  }

  @Test func `a rate is the mean of the last seconds`() {
    var beacons = ScreenBeacons(period: 2)
    for count in [5, 1] + Array(repeating: 3, count: 9) {
      var beacon = ranged(0, level: -50)
      beacon.sightings = count
      _ = beacons.take([Ranging(time: 0, region: 0, beacons: [beacon])], of: "t", at: 0) {
        _ in door
      }
    }
    #expect(beacons.all.first?.rate == 1.4 && beacons.all.first?.detail.sightings == 33)
  }

  @Test func `a message goes after some seconds`() {
    var screen = screen([])
    screen.show("the disk is full", at: 0)
    #expect(lines(&screen).last?.hasPrefix("the disk is full") == true)
    screen.show(nil, at: 8_000_000_000)
    #expect(lines(&screen).last?.hasPrefix("the disk is full") == true)
    screen.show(nil, at: 8_000_000_001)
    #expect(lines(&screen).last?.hasPrefix("q quit") == true)
  }

  @Test func `rings once for an event that rings`() {
    var screen = screen([])
    screen.take(event(.zone(from: .far)), of: door, region: nil)
    #expect(!screen.mustRing)
    screen.take(event(.regionEnter), of: door, region: "shop")
    #expect(screen.mustRing)
    _ = lines(&screen)
    #expect(!screen.mustRing)
  }
}
