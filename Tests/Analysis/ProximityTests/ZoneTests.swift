import Proximity
import Testing

struct ZoneTests {
  @Test func `nearer comes first`() {
    #expect(
      Zone.allCases.shuffled().sorted().map(\.description) == [
        "immediate", "near", "far", "unknown",
      ])
  }
}
