import TestSupport
import Testing

@testable import Advertising

@Suite struct DeviceDescriptionTests {
  private func structure(_ type: UInt8, _ data: [UInt8]) -> [UInt8] {
    [UInt8(data.count + 1), type] + data
  }

  private func description(_ payload: [UInt8]) -> DeviceDescription {
    DeviceDescription(payload: payload.span)
  }

  private func name(_ bytes: [UInt8]) -> String? {
    description(structure(0x09, bytes)).name?.text
  }

  @Test func `the complete name counts before the shortened one, wherever it is`() {
    let (short, complete) = (
      structure(0x08, Array("Ther".utf8)), structure(0x09, Array("Thermo".utf8))
    )
    for payload in [short + complete, complete + short] {
      #expect(description(payload).name?.text == "Thermo")
      #expect(description(payload).name?.isComplete == true)
    }
    #expect(description(short).name?.text == "Ther")
    #expect(description(short).name?.isComplete == false)
  }

  @Test func `names of any bytes`() {
    #expect(name(Array("Tür 門".utf8)) == "Tür 門")
    #expect(name([0x41, 0xFF, 0x42]) == "A\u{FFFD}B")
    // A field of fixed length.
    #expect(name([0x41, 0x42, 0, 0, 0x43]) == "AB")
    #expect(name([0x1B, 0x5B, 0x6D]) == "\u{1B}[m")
    #expect(name([]) == nil)
    #expect(name([0, 0x41]) == nil)
  }

  @Test func `the company is the maker's: that of iBeacon frames is everyone's`() {
    #expect(description(structure(0xFF, [0x59, 0x00, 1, 2])).company == 0x0059)
    // Apple's other messages are of Apple's devices.
    #expect(description(structure(0xFF, [0x4C, 0x00, 0x10, 5])).company == 0x004C)
    #expect(description(structure(0xFF, [0x4C])).company == nil)
    let beacon = IBeacon(
      uuid: Identifier<16>("5E1F0A3C-7B42-4D96-A8E1-2C90D4B7F365")!, major: 1, minor: 2,
      measuredPower: -59)
    let frame = description(beacon.advertisingData)
    #expect(frame.company == nil)
    #expect(frame.measuredPower == -59)
    #expect(description(beacon.advertisingData + structure(0xFF, [0x59, 0])).company == 0x0059)
    let alt = AltBeacon(
      company: 0x0118, id: Identifier<20>(String(repeating: "AB", count: 20))!, measuredPower: -61)
    #expect(description(alt.advertisingData).company == 0x0118)
    #expect(description(alt.advertisingData).measuredPower == -61)
  }

  @Test func `transmitted power`() {
    #expect(description(structure(0x0A, [0xF8])).txPower == -8)
    #expect(description(structure(0x0A, [0x04, 1])).txPower == nil)
    #expect(description([]) == DeviceDescription())
  }

  @Test func `any bytes give what a plain reading of the specification gives`() {
    var random = SeededGenerator(seed: 41)
    var names = 0
    for _ in 0..<20_000 {
      let count = Int.random(in: 0...40, using: &random)
      // Types and lengths that matter are frequent.
      let payload = (0..<count).map { _ in
        Bool.random(using: &random)
          ? [0x02, 0x03, 0x04, 0x08, 0x09, 0x0A, 0xFF].randomElement(using: &random)!
          : UInt8.random(in: 0...255, using: &random)
      }
      var (rest, shortened, complete) = (payload[...], [UInt8]?.none, [UInt8]?.none)
      while let length = rest.first.map(Int.init), length > 0, rest.count > length {
        let data = rest.dropFirst(2).prefix(length - 1)
        let text = Array(data.prefix { $0 != 0 })
        switch rest[rest.startIndex + 1] {
        case 0x08 where !text.isEmpty: shortened = shortened ?? text
        case 0x09 where !text.isEmpty: complete = complete ?? text
        default: break
        }
        rest = rest.dropFirst(length + 1)
      }
      let expected = (complete ?? shortened).map { String(decoding: $0, as: UTF8.self) }
      let found = description(payload).name
      #expect(found?.text == expected, "\(payload)")
      #expect(found.map(\.isComplete) == expected.map { _ in complete != nil }, "\(payload)")
      names += expected == nil ? 0 : 1
    }
    #expect(names > 500)
  }
}
