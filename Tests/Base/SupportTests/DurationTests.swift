import Support
import Testing

@Suite struct DurationTests {
  @Test(
    "a written duration reads back, in a unit that fits",
    arguments: [
      (0, "0s"), (500_000_000, "500ms"), (2_000_000_000, "2s"), (1_500_000_000, "1.5s"),
      (-1_500_000_000, "-1.5s"), (90_000_000_000, "90s"), (7_200_000_000_000, "2h"),
      (172_800_000_000_000, "2d"), (1_000, "0.001ms"),
    ] as [(Int64, String)])
  func writes(nanoseconds: Int64, text: String) {
    #expect(written(duration: nanoseconds) == text)
    #expect(duration(text) == nanoseconds)
  }
}
