import Testing

@testable import Advertising

@Suite struct RadioChannelTests {
  /// Core Specification, volume 6, part B, table 1.2.
  @Test func `every frequency has its channel`() {
    #expect(RadioChannel.index(megahertz: 2402) == 37)
    #expect(RadioChannel.index(megahertz: 2426) == 38)
    #expect(RadioChannel.index(megahertz: 2480) == 39)
    #expect(RadioChannel.index(megahertz: 2404) == 0 && RadioChannel.index(megahertz: 2424) == 10)
    #expect(RadioChannel.index(megahertz: 2428) == 11 && RadioChannel.index(megahertz: 2478) == 36)
    let channels = (0..<40).compactMap { RadioChannel.index(megahertz: 2402 + 2 * Double($0)) }
    #expect(channels.sorted() == Array(0..<40))
  }

  @Test(arguments: [2400, 2403, 2402.5, 2482, -1, 1e300, Double.nan, .infinity])
  func `other frequencies have none`(_ frequency: Double) {
    #expect(RadioChannel.index(megahertz: frequency) == nil)
  }
}
