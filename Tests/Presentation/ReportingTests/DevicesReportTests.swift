import Reporting
import Testing

@testable import TracePipelines

@Suite struct DevicesReportTests {
  private let uuid = "5E1F0A3C-7B42-4D96-A8E1-2C90D4B7F365"

  private func device(_ beacon: String, name: String? = nil, rate: Double? = 7.25) -> HeardDevice {
    HeardDevice(
      beacon: beacon, name: name, company: nil, kind: "ibeacon", sightings: 3, rate: rate,
      levels: LevelFigures(min: -80, median: -70.5, mean: -71.25, max: -60, deviation: 5.04),
      statedPower: -59, first: 0, last: 1_500_000_000, channels: [37, 39])
  }

  private func lines(
    _ devices: [HeardDevice], _ width: Int, isUnicode: Bool = true
  ) -> [String] {
    DevicesReport(HeardDevices(devices)).text(width: width, isUnicode: isUnicode)
      .split(separator: "\n").map(String.init)
  }

  @Test func `identities are complete if all fit`() {
    let lines = lines([device("ibeacon:\(uuid):1:7"), device("ibeacon:\(uuid):1:8")], 200)
    #expect(lines[2].hasPrefix("ibeacon:\(uuid):1:7  ibeacon "))
    #expect(
      lines[2].hasSuffix(
        "7.25  -80   -70.5  -71.3  -60  5.0    -59  37 39     1970-01-01T00:00:00Z  "
          + "1970-01-01T00:00:01Z"))
    #expect(lines.count == 5)
  }

  @Test func `an identifier that all share is written once, one of a few is not left out`() {
    let two = [device("ibeacon:\(uuid):1:7"), device("ibeacon:\(uuid):1:8")]
    #expect(lines(two, 80)[2].hasPrefix("ibeacon:…:1:7 "))
    #expect(lines(two, 80, isUnicode: false)[2].hasPrefix("ibeacon:~:1:7 "))
    #expect(lines(two, 80, isUnicode: false)[4] == "~ = \(uuid)")
    let other = device("ibeacon:6E1F0A3C-7B42-4D96-A8E1-2C90D4B7F365:1:7")
    let mixed = lines(two + [other, device("addr:C0:FF:EE:00:00:01")], 80)
    #expect(mixed[2].hasPrefix("ibeacon:5E1F…:1:7 "))
    #expect(mixed[4].hasPrefix("ibeacon:6E1F…:1:7 "))
    #expect(mixed[5].hasPrefix("C0:FF:EE:00:00:01 "))
    #expect(mixed.count == 7)
    // As many digits as it takes.
    let alike = device("ibeacon:5E1F0A3C-8B42-4D96-A8E1-2C90D4B7F365:1:7")
    #expect(lines(two + [alike], 80)[4].hasPrefix("ibeacon:5E1F0A3C-8…:1:7 "))
    #expect(mixed.allSatisfy { $0.count <= 80 })
  }

  @Test func `rates`() {
    let rates = [0.001, 0.25, 123.4, nil].map { device("d", rate: $0) }
    let shown = lines(rates, 80).dropFirst(2).dropLast().compactMap {
      $0.split(separator: " ").dropFirst(3).first.map(String.init)
    }
    #expect(shown == ["<0.01", "0.25", "123", "–"])
  }

  @Test func `texts`() {
    let lines = lines([device("tag", name: "a\u{1B}[2J\nb")], 100)
    #expect(lines.count == 4)
    #expect(lines[2].contains(#"a\u{1b}[2J\u{a}b"#))
    #expect(lines[3] == "1 device, 3 sightings")
    #expect(self.lines([], 80) == ["0 devices, 0 sightings"])
  }
}
