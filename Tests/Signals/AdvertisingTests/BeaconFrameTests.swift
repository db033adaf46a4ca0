import Advertising
import TestSupport
import Testing

/// One frame of each format.
func sampleFrames() throws -> [BeaconFrame] {
  let uuid = try #require(Identifier<16>("E2C56DB5-DFFB-48D2-B060-D0F5A71096E0"))
  let id = try #require(Identifier<20>("000102030405060708090a0b0c0d0e0f10111213"))
  let namespace = try #require(Identifier<10>("EDD1EBEAC04E5DEFA017"))
  let instance = try #require(Identifier<6>("0BDB87539B67"))
  let url = try #require(EddystoneURL(url: "https://www.example.com/a", power0m: -10))
  let ephemeral = try #require(Identifier<8>("0011223344556677"))
  let ciphertext = try #require(Identifier<16>("00112233445566778899AABBCCDDEEFF"))
  return [
    .iBeacon(IBeacon(uuid: uuid, major: 258, minor: 772, measuredPower: -59)),
    .altBeacon(AltBeacon(company: 0x0118, id: id, measuredPower: -62, reserved: 9)),
    .eddystoneUID(EddystoneUID(namespace: namespace, instance: instance, power0m: -20)),
    .eddystoneURL(url),
    .eddystoneTLM(
      EddystoneTLM(
        batteryVoltage: 3000, temperature256: -640, advertisementCount: 5, uptimeTenths: 600)),
    .eddystoneETLM(EddystoneETLM(ciphertext: ciphertext)),
    .eddystoneEID(EddystoneEID(id: ephemeral, power0m: 4)),
  ]
}

/// Returns the frame of advertising data.
func classify(_ bytes: [UInt8]) -> BeaconFrame { BeaconFrame(payload: bytes.span) }

@Suite struct BeaconFrameTests {
  private let kinds: [BeaconKind] = [
    .iBeacon, .altBeacon, .eddystoneUID, .eddystoneURL, .eddystoneTLM, .eddystoneTLM, .eddystoneEID,
  ]

  @Test func `every format comes back from its own bytes`() throws {
    for (frame, kind) in zip(try sampleFrames(), kinds) {
      #expect(classify(frame.advertisingData) == frame)
      #expect(frame.kind == kind)
      #expect(frame.advertisingData.count <= 31)
    }
  }

  @Test func `measured powers are at one metre`() throws {
    #expect(try sampleFrames().map(\.measuredPower) == [-59, -62, -61, -51, nil, nil, -37])
  }

  /// Advertising data that end early are not a beacon.
  @Test func `every truncation`() throws {
    for frame in try sampleFrames() {
      let whole = frame.advertisingData
      for length in whole.indices { #expect(classify(Array(whole.prefix(length))) == .other) }
    }
  }

  /// Neither is a well-formed structure of another length, but for a UID without its two reserved
  /// bytes and for a URL, whose length is free.
  @Test func `every other length`() throws {
    for frame in try sampleFrames() where frame.kind != .eddystoneURL {
      let whole = frame.advertisingData
      let start = try #require(lastStructure(whole))
      for length in 1...(whole.count - start + 8) {
        let body = Array((whole[(start + 1)...] + [UInt8](repeating: 0, count: 9)).prefix(length))
        let isWhole = length == whole.count - start - 1
        let isShortUID = frame.kind == .eddystoneUID && length == whole.count - start - 3
        // Some makers append a byte to an iBeacon; it contains its own length.
        let isLongIBeacon = frame.kind == .iBeacon && length > whole.count - start - 1
        let expected = isWhole || isShortUID || isLongIBeacon ? frame : .other
        #expect(classify([UInt8(length)] + body) == expected)
      }
    }
  }

  private func lastStructure(_ payload: [UInt8]) -> Int? {
    var walker = ADStructures()
    var start: Int?
    while let structure = walker.next(in: payload.span) { start = structure.data.lowerBound - 2 }
    return start
  }

  @Test(arguments: [0x21, 0x40, 0x41, 0x31, 0x01] as [UInt8])
  func `other frames of the same service are not Eddystone`(type: UInt8) {
    for length in 0...20 {
      let data = [0xAA, 0xFE, type] + [UInt8](repeating: 0, count: length)
      let payload = [UInt8(data.count + 1), 0x16] + data
      #expect(classify(payload) == .other)
    }
  }

  /// Whatever is read from damaged bytes is in its own bytes.
  @Test func `flipped bits`() throws {
    var random = SeededGenerator(seed: 4)
    let frames = try sampleFrames()
    for round in 0..<5000 {
      var bytes = frames[round % frames.count].advertisingData
      let index = Int.random(in: bytes.indices, using: &random)
      bytes[index] ^= UInt8.random(in: 1...255, using: &random)
      let frame = classify(bytes)
      if frame != .other { #expect(classify(frame.advertisingData) == frame) }
    }
  }
}
