import Advertising
import Testing

@Suite struct EddystoneURLTests {
  private func decode(_ encoded: [UInt8]) -> EddystoneURL? {
    EddystoneURL(serviceData: ([0xAA, 0xFE, 0x10, 0xF0] + encoded).span)
  }

  @Test(
    arguments: [
      ([0x00, 0x61, 0x00], "http://www.a.com/"), ([0x01, 0x61, 0x01], "https://www.a.org/"),
      ([0x02, 0x61, 0x0D, 0x2F], "http://a.gov/"), ([0x03, 0x61, 0x07], "https://a.com"),
      ([0x03, 0x61, 0x0B, 0x62], "https://a.infob"),
    ] as [([UInt8], String)])
  func `expansion`(encoded: [UInt8], url: String) throws {
    let frame = try #require(decode(encoded))
    #expect(frame.url == url)
    #expect(frame.power0m == -16)
    #expect(classify(frame.advertisingData) == .eddystoneURL(frame))
  }

  @Test func `the same address is the same however it is compressed`() {
    #expect(decode([0x02] + Array("www.a.com/".utf8)) == decode([0x00, 0x61, 0x00]))
    #expect(decode([0x02] + Array("www.".utf8))?.url == "http://www.")
  }

  @Test(
    arguments: [[0x04, 0x61], [0x00, 0x0E], [0x00, 0x20], [0x00, 0x7F], [0x00]] as [[UInt8]])
  func `reserved bytes are refused`(encoded: [UInt8]) { #expect(decode(encoded) == nil) }

  @Test func `lengths`() {
    for length in 0...20 {
      let frame = decode([0x03] + [UInt8](repeating: 0x61, count: length))
      #expect((frame != nil) == (1...17).contains(length))
    }
  }

  @Test(arguments: [
    "ftp://a", "https://", "https://a b", "https://e\u{301}", "https://abcdefghijklmnopqr", "",
  ])
  func `addresses that do not fit`(url: String) {
    #expect(EddystoneURL(url: url, power0m: 0) == nil)
  }
}
