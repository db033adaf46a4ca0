import Proximity
import Testing

struct ZoneTests {
  @Test func nearerComesFirst() {
    #expect(
      Zone.allCases.shuffled().sorted().map(\.description) == [
        "immediate", "near", "far", "unknown",
      ])
  }
}
